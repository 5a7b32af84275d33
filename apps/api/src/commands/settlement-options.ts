import { InvalidArgumentError } from 'commander'
import { Refusal } from '#cli/refusal.ts'
import { readAmountIn, readCurrency } from '#settlement/column-values.ts'
import { ReportFault } from '#settlement/report-file.ts'

/** 'NAME=VALUE', as often as it is given. */
export const readPairs =
  <K, V>(read: (name: string, value: string) => readonly [K, V]) =>
  (text: string, others: ReadonlyMap<K, V> = new Map()): ReadonlyMap<K, V> => {
    const at = text.indexOf('=')
    if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('It is written like NAME=VALUE.')
    const [name, value] = read(text.slice(0, at).trim(), text.slice(at + 1).trim())
    return new Map([...others, [name, value]])
  }

/** 'EUR=123.45' in minor units of its currency. */
export const readSums = readPairs((code, amount) => {
  const currency = readCurrency(code)
  const minor = currency && readAmountIn(amount, currency, '.')
  if (currency === undefined || minor === undefined)
    throw new InvalidArgumentError('A sum is written like EUR=123.45.')
  return [currency, minor] as const
})

/** What is wrong with a file is told as any other refusal, a line for each. */
export const withReportFaults = async <T>(what: () => Promise<T> | T): Promise<T> => {
  try {
    return await what()
  } catch (error) {
    if (!(error instanceof ReportFault)) throw error
    throw new Refusal([...error.faults, 'Nothing was imported.'].join('\n'))
  }
}
