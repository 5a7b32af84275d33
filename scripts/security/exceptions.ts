import { readFileSync } from 'node:fs'
import type { Finding } from './checker.ts'

/** What a checker says and is not mended, and why. `where` may hold stars, each for any text. */
export type Exception = { checker: string; where: string; reason: string }

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Reads the one file of exceptions; throws one line that names an entry that is not whole. */
export const readExceptions = (file: string, checkers: readonly string[]): Exception[] => {
  const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(entries)) throw new Error(`${file} does not hold a list`)
  return entries.map((entry: Partial<Exception>, index) => {
    const { checker, where, reason } = entry
    if (!isText(checker) || !isText(where) || !isText(reason))
      throw new Error(`${file}: entry ${index + 1} needs checker, where and reason`)
    if (!checkers.includes(checker))
      throw new Error(`${file}: entry ${index + 1}: there is no checker ${checker}`)
    return { checker, where, reason }
  })
}

const matches = (pattern: string, where: string): boolean =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's').test(where)

/** Tells what was found from what is excepted, and names the exceptions that nothing needs any more. */
export const sift = (checker: string, findings: readonly Finding[], exceptions: readonly Exception[]) => {
  const own = exceptions.filter((exception) => exception.checker === checker)
  const exceptionOf = ({ where }: Finding) => own.find((exception) => matches(exception.where, where))
  const used = new Set(findings.map(exceptionOf))
  return {
    found: findings.filter((finding) => !exceptionOf(finding)),
    excepted: findings.filter(exceptionOf).length,
    stale: own.filter((exception) => !used.has(exception)),
  }
}
