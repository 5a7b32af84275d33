import { stripVTControlCharacters } from 'node:util'
import { toolRun } from '#desk/tool/run.ts'

const print = (line: string): void => void toolRun().stdout.write(`${line}\n`)

/** What other programs have told us does not get to write to the terminal as it likes. */
const plain = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

export const say = (line: string): void => print(plain(line))

/** What is not the answer: progress, and what to type. */
export const sayAside = (line: string): void => void toolRun().stderr.write(`${plain(line)}\n`)

/** JSON itself escapes only some of the characters that move a terminal. */
const escaped = (json: string) =>
  json.replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)

/** For programs: one JSON document on the standard output, and nothing else. */
export const sayJson = (value: unknown): void => print(escaped(JSON.stringify(value, null, 2)))

/** Rows under their heads, in columns as wide as they need. */
export const sayTable = (heads: readonly string[], rows: readonly (readonly string[])[]): void => {
  const lines = [heads.map((head) => head.toUpperCase()), ...rows.map((row) => row.map(plain))]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** One thing, a line for each of its sides. */
export const sayFacts = (facts: readonly (readonly [string, string])[]): void => {
  const width = Math.max(...facts.map(([name]) => name.length))
  for (const [name, value] of facts) print(`${name.padEnd(width)}  ${plain(value)}`)
}
