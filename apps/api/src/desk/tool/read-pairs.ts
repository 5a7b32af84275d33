import { InvalidArgumentError } from 'commander'
import { readAmountIn, readCurrency } from '#platform/csv/column-values.ts'

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
