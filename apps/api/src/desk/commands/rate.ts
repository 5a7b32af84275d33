import { formatDateTime } from '@hedgerow/domain/dates'
import { BLIK_CURRENCY, formatRate, isFarFrom } from '@hedgerow/domain/exchange'
import { CURRENCY_CODES, type CurrencyCode } from '@hedgerow/domain/money'
import { type Command, InvalidArgumentError } from 'commander'
import { addBooksRates } from '#desk/commands/rate-books.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readRate, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { currentRate, currentRates, setRate } from '#money/rates/rates.ts'

type Rate = Awaited<ReturnType<typeof currentRates>>[number]

const readCurrency = (text: string): CurrencyCode => {
  const currency = CURRENCY_CODES.find((code) => code === text.toUpperCase())
  if (!currency) throw new InvalidArgumentError(`Expected one of: ${CURRENCY_CODES.join(', ')}.`)
  return currency
}

const present = ({ currency, rate_micro, set_at }: Rate) => ({
  currency,
  rate: formatRate(rate_micro),
  setAt: set_at.toISOString(),
})

const sentence = ({ currency, rate_micro }: Pick<Rate, 'currency' | 'rate_micro'>) =>
  `1 ${currency} is ${formatRate(rate_micro)} ${BLIK_CURRENCY}`

type SetOptions = { yes?: true; json?: true }

const set = (currency: CurrencyCode, rateMicro: number, { yes, json }: SetOptions) =>
  withDatabase(async (db) => {
    const last = await currentRate({ db }, currency)
    if (last && isFarFrom(rateMicro, last.rate_micro)) {
      const difference = `more than a tenth away from the last rate, ${formatRate(last.rate_micro)}`
      await ask(`Set ${formatRate(rateMicro)}? It is ${difference}.`, yes)
    }
    const rate = await setRate({ db }, currency, rateMicro)
    if (json) return sayJson(rate && present(rate))
    say(
      `From now on ${sentence({ currency, rate_micro: rateMicro })} for Blik. Payments under way keep their rate.`,
    )
  })

const list = ({ json }: { json?: true }) =>
  withDatabase(async (db) => {
    const rates = await currentRates({ db })
    if (json) return sayJson({ rates: rates.map(present) })
    if (rates.length === 0)
      return say('No rate has been set, so nobody can pay by Blik. Set one, like: rate set EUR 4.25')
    sayTable(
      ['currency', BLIK_CURRENCY, 'set'],
      rates.map((rate) => [rate.currency, formatRate(rate.rate_micro), formatDateTime(rate.set_at)]),
    )
  })

export const addRate = (program: Command): void => {
  const rate = program
    .command('rate')
    .summary('rates for Blik, and of the books')
    .description(
      `What ${CURRENCY_CODES.join(' and ')} are worth in PLN, which Blik is paid in; and, below sterling and ecb, in the books.`,
    )
    .helpCommand(false)
  reads(rate.command('list')).description('The current rates for Blik.').addOption(JSON_OPTION).action(list)
  changes(rate.command('set'))
    .description(
      'Set a rate for Blik. You are asked to confirm one that is more than a tenth away from the last.',
    )
    .argument('<currency>', CURRENCY_CODES.join(' or '), readCurrency)
    .argument('<rate>', `${BLIK_CURRENCY} for one unit, like 4.2512`, readRate)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(set)
  addBooksRates(rate)
}
