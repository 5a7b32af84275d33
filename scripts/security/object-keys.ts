import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'

type Tree = { [field: string]: unknown }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** What counts up is called so here; whatever else is a key may come from outside. */
const COUNTERS = new Set(['i', 'j', 'index'])

const isCounter = ({ type, value }: Tree): boolean =>
  type === 'NumericLiteral' || (type === 'Identifier' && COUNTERS.has(String(value)))

/** A key of an object that is only known while the program runs. */
const isOpenKey = (target: unknown): boolean => {
  if (!isTree(target) || target.type !== 'MemberExpression' || !isTree(target.property)) return false
  const { type, expression } = target.property
  return type === 'Computed' && isTree(expression) && !isCounter(expression)
}

const NAMES = new Set(['__proto__', '__defineGetter__', '__defineSetter__'])

/** What is wrong with a place of the syntax tree; undefined for most. */
const faultAt = (tree: Tree): string | undefined => {
  if (tree.type === 'AssignmentExpression' && isOpenKey(tree.left))
    return 'gives an object a key that is only known at run time'
  if (tree.type === 'UpdateExpression' && isOpenKey(tree.argument))
    return 'counts under a key that is only known at run time'
  if (tree.type === 'ForInStatement') return 'goes through inherited keys, too'
  if (tree.type === 'Identifier' && NAMES.has(String(tree.value))) return `names ${tree.value}`
  return undefined
}

const faultsBelow = (tree: Tree): string[] => {
  const fault = faultAt(tree)
  const below = Object.values(tree)
    .filter(isTree)
    .flatMap((child) => faultsBelow(child))
  return fault ? [fault, ...below] : below
}

/**
 * Returns what a source does that could give every object of the program a new field, if a caller chose the key: such
 * keys belong into a Map, or into Object.fromEntries, which makes them the object's own.
 */
export const openKeysIn = (code: string, isMarkup = false): string[] => {
  const tree = parseSync(code, { syntax: 'typescript', tsx: isMarkup, target: 'es2022' })
  return faultsBelow(tree as unknown as Tree)
}

export const openKeysOf = (root: string, file: string): string[] =>
  openKeysIn(readFileSync(join(root, file), 'utf8'), file.endsWith('x')).map((fault) => `${file} ${fault}`)
