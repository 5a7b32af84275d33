import { formatDateTime } from '@hedgerow/domain/dates'
import { formatRate } from '@hedgerow/domain/exchange'
import { type Command, InvalidArgumentError } from 'commander'
import { parseHmrcRates } from '#accounting/books/hmrc-rates.ts'
import {
  BOOK_RATES,
  farFrom,
  futureFault,
  RateRefused,
  type RefusedRate,
  setBookRates,
} from '#desk/backoffice/book-rates.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { withCsvFaults } from '#desk/tool/csv-faults.ts'
import { JSON_OPTION, readRate, YES_OPTION } from '#desk/tool/options.ts'
import { readDay, readMonth } from '#desk/tool/periods.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { Db } from '#platform/database/client.ts'
import type { NewRate, RateKind } from '#sales/invoices/set-accounting-rate.ts'
import { type AccountingRate, listAccountingRates } from '#sales/invoices/sterling.ts'

const readCurrencyOf = (kind: RateKind) => (text: string) => {
  const { currency } = BOOK_RATES[kind]
  if (text.toUpperCase() !== currency) throw new InvalidArgumentError(`Expected ${currency}.`)
  return currency
}

const refuseFuture = (kind: RateKind, rate: NewRate): void => {
  const fault = futureFault(kind, rate)
  if (fault) throw new Refusal(fault)
}

const present = ({ currency, day, rateMicro }: NewRate) => ({ currency, day, rate: formatRate(rateMicro) })

type SetOptions = { correct?: true; yes?: true; json?: true }

const why = ({ isThere, isUsed }: RefusedRate): Refusal =>
  new Refusal(
    isUsed
      ? `${isThere}, and invoices were written with that: it stays.`
      : `${isThere} already. If that is a mistake, replace it with --correct.`,
  )

/** Asks about what may be a slip of the hand. */
const askAboutFar = async (db: Db, kind: RateKind, rate: NewRate, yes: true | undefined): Promise<void> => {
  const far = await farFrom(db, kind, rate)
  if (far) await ask(`Set ${formatRate(rate.rateMicro)}? ${far}`, yes)
}

/** All of them, or none. */
const setAll = async (db: Db, kind: RateKind, rates: readonly NewRate[], { correct, yes }: SetOptions) => {
  for (const rate of rates) refuseFuture(kind, rate)
  for (const rate of rates) await askAboutFar(db, kind, rate, yes)
  return setBookRates(db, kind, rates, correct ?? false).catch((error: unknown) => {
    throw error instanceof RateRefused ? why(error.refused) : error
  })
}

const OUTCOMES = { set: '', known: ' (it was set already)', corrected: ' (corrected' } as const

const sayOutcomes = (
  kind: RateKind,
  outcomes: Awaited<ReturnType<typeof setAll>>,
  json: true | undefined,
) => {
  if (json)
    return sayJson({
      rates: outcomes.map(({ rate, outcome }) => ({ ...present(rate), outcome: outcome.kind })),
    })
  for (const { rate, outcome } of outcomes) {
    const was = outcome.kind === 'corrected' ? `; it was ${formatRate(outcome.wasMicro)})` : ''
    say(`${BOOK_RATES[kind].sentence(rate)}${OUTCOMES[outcome.kind]}${was}.`)
  }
}

type When = { month?: string; day?: string }

const setOne = (kind: RateKind) => (currency: string, rateMicro: number, options: SetOptions & When) =>
  withDatabase(async (db) => {
    const day = options.month ? `${options.month}-01` : (options.day ?? '')
    sayOutcomes(kind, await setAll(db, kind, [{ currency, day, rateMicro }], options), options.json)
  })

const readRates = async (file: string): Promise<NewRate[]> => {
  const bytes = await readNamedFile(file)
  return withCsvFaults(() => parseHmrcRates(bytes, [BOOK_RATES.sterling.currency]), 'Nothing was set.')
}

const importFile = (file: string, options: SetOptions) =>
  withDatabase(async (db) => {
    const rates = await readRates(file)
    sayOutcomes('sterling', await setAll(db, 'sterling', rates, options), options.json)
  })

const listOf =
  (kind: RateKind) =>
  ({ json }: { json?: true }) =>
    withDatabase(async (db) => {
      const rates = await listAccountingRates(db, kind)
      const told = ({ setAt, ...rate }: AccountingRate) => ({ ...present(rate), setAt: setAt.toISOString() })
      if (json) return sayJson({ rates: rates.map(told) })
      if (rates.length === 0) return say('No rate has been set.')
      sayTable(
        [kind === 'sterling' ? 'month' : 'day', 'currency', kind === 'sterling' ? 'for £1' : 'for €1', 'set'],
        rates.map(({ currency, day, rateMicro, setAt }) => [
          BOOK_RATES[kind].period(day),
          currency,
          formatRate(rateMicro),
          formatDateTime(setAt),
        ]),
      )
    })

const CORRECT = '--correct'
const CORRECTS = 'replace a rate that is there, if no invoice was written with it'

const addSterling = (rate: Command): void => {
  const sterling = rate
    .command('sterling')
    .description(
      'What one pound is worth in the books: HMRC’s monthly rates, in units of the currency for £1.',
    )
    .helpCommand(false)
  reads(sterling.command('list')).description('Every rate.').addOption(JSON_OPTION).action(listOf('sterling'))
  changes(sterling.command('set'))
    .description(
      'Set the rate of a month. You are asked to confirm one that is more than a tenth away from the last.',
    )
    .argument('<currency>', BOOK_RATES.sterling.currency, readCurrencyOf('sterling'))
    .argument('<rate>', 'units for £1, like 1.1534', readRate)
    .requiredOption('--month <month>', 'like 2026-11; at most one month ahead', readMonth)
    .option(CORRECT, CORRECTS)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(setOne('sterling'))
  changes(sterling.command('import'))
    .description(
      'Read the monthly file of rates that HMRC publishes (CSV), and take over those of the shop’s currencies.',
    )
    .argument('<file>', 'the file')
    .option(CORRECT, CORRECTS)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(importFile)
}

const addEcb = (rate: Command): void => {
  const ecb = rate
    .command('ecb')
    .description(
      'What one euro is worth in a return of the One Stop Shop: the European Central Bank’s rates of a day.',
    )
    .helpCommand(false)
  reads(ecb.command('list')).description('Every rate.').addOption(JSON_OPTION).action(listOf('ecb'))
  changes(ecb.command('set'))
    .description(
      'Set the rate of a day. You are asked to confirm one that is more than a tenth away from the last.',
    )
    .argument('<currency>', BOOK_RATES.ecb.currency, readCurrencyOf('ecb'))
    .argument('<rate>', 'units for €1, like 0.8731', readRate)
    .requiredOption('--day <day>', 'like 2026-12-31', readDay)
    .option(CORRECT, 'replace a rate that is there')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(setOne('ecb'))
}

/** The rates of the books, below those for Blik. */
export const addBooksRates = (rate: Command): void => {
  addSterling(rate)
  addEcb(rate)
}
