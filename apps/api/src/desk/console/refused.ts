import { Problem } from '#platform/http/problems.ts'

/** Where the services speak of the tool's options, and what the console has in their place. */
const IN_THE_CONSOLE = [
  ['Give the currency of the price: --currency', 'Say in which currency the price was'],
  ['To refund this payment, add --refund', 'Give this payment back instead'],
  // Of files.
  [/Name it with --[\w-]+ (\S+=)NAME\./g, 'Say under Columns what it is called: $1NAME.'],
  ['--columns is written like', 'Columns are written like'],
  ['Say which with --decimal point, or --decimal comma', 'Say which of the two it is'],
  ['Say which with --days dmy, or --days mdy', 'Say which of the two it is'],
  ['Say with --fees costs that 1.00 was taken, or with --fees changes that −1.00 was', 'Say what a fee is'],
  [/Say it with --type "([^"]*)=KIND"/g, 'Say it under Words for kinds: $1=KIND'],
  ['Say it with --bank-currency, like --bank-currency EUR', 'Say it, like EUR'],
] as const

export const inTheConsole = (why: string): string =>
  IN_THE_CONSOLE.reduce((text, [tool, here]) => text.replaceAll(tool, here), why)

/** Why a service would not, as a sentence: 'it was lost' becomes 'It was lost.' */
export const refused = (why: string): Problem => {
  const words = inTheConsole(why)
  return new Problem('operator-refused', {
    detail: `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`,
  })
}
