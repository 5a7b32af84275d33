import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { check } from 'recheck'
import * as z from 'zod/mini'
import type { Bench, Finding } from './checker.ts'

/** Tests, and what only they need, match what they wrote themselves. */
const TESTING = ['*.test.ts', '*.test.tsx', '*/testing/*', 'packages/testing', 'e2e']
const SOURCES = ['*.ts', '*.tsx', '*.mjs', ...TESTING.map((path) => `:!${path}`)]
/** None takes more than a few seconds on a machine that does nothing else. */
const TIMEOUT_MS = 120_000
const LANES = 2

type Found = { where: string; source?: string; flags?: string }
type Tree = { [field: string]: unknown }

/** A library's, matched by us against what strangers send. */
const BORROWED = {
  email: z.regexes.email,
  uuid: z.regexes.uuid(),
  ipv4: z.regexes.ipv4,
  ipv6: z.regexes.ipv6,
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

const isCallOfRegExp = ({ type, callee }: Tree) =>
  (type === 'NewExpression' || type === 'CallExpression') && isTree(callee) && callee.value === 'RegExp'

/** Returns every pattern below a place of the syntax tree; one that is put together while it runs has no source here. */
const patternsBelow = (tree: Tree, file: string): Found[] => {
  const below = Object.values(tree)
    .filter(isTree)
    .flatMap((child) => patternsBelow(child, file))
  if (isCallOfRegExp(tree)) return [{ where: `${file} RegExp` }, ...below]
  if (tree.type !== 'RegExpLiteral') return below
  const [source, flags] = [String(tree.pattern), String(tree.flags)]
  return [{ where: `${file} /${source}/${flags}`, source, flags }]
}

const patternsIn = (root: string, file: string): Found[] => {
  const code = readFileSync(join(root, file), 'utf8')
  const tree = parseSync(code, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' })
  return patternsBelow(tree as unknown as Tree, file)
}

/** Why a pattern may be slow; undefined when it cannot. */
const faultOf = async ({ source, flags = '' }: Found): Promise<string | undefined> => {
  if (source === undefined) return 'is put together while the program runs, so it cannot be checked'
  const result = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 1 })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `cannot be judged: ${result.error.kind}`
  return `is ${result.complexity.summary}; for example on ${result.attack.pattern.slice(0, 200)}`
}

/** Asks recheck of every pattern of the programs whether the text that it is matched against can make it slow. */
export const findSlowPatterns = async ({ root }: Bench): Promise<Finding[]> => {
  const files = execFileSync('git', ['ls-files', ...SOURCES], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
  const patterns = [
    ...files.flatMap((file) => patternsIn(root, file)),
    ...Object.entries(BORROWED).map(([name, { source, flags }]) => ({
      where: `zod ${name}`,
      source,
      flags,
    })),
  ]
  const findings: Finding[] = []
  const waiting = patterns.values()
  const lane = async (): Promise<void> => {
    for (const pattern of waiting) {
      const fault = await faultOf(pattern)
      if (fault !== undefined) findings.push({ where: pattern.where, what: fault })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return findings
}
