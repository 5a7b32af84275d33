import { Problem } from '#http/problems.ts'

/** Where the services speak of the tool's options, and what the console has in their place. */
const IN_THE_CONSOLE = [
  ['add --although', 'tick the box that says so'],
  ['First record it with --sent, or drop it with --drop', 'First say what became of it'],
  ['record it with --failed', 'say that it failed'],
  ['first open it again: dispute open --again', 'first record it as a dispute again'],
] as const

const inTheConsole = (why: string): string =>
  IN_THE_CONSOLE.reduce((text, [tool, here]) => text.replace(tool, here), why)

/** Why a service would not, as a sentence: 'it was lost' becomes 'It was lost.' */
export const refused = (why: string): Problem => {
  const words = inTheConsole(why)
  return new Problem('operator-refused', {
    detail: `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`,
  })
}
