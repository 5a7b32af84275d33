import { formatDateTime, isoDay } from '@hedgerow/domain/dates'
import { formatRate } from '@hedgerow/domain/exchange'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { type Command, InvalidArgumentError } from 'commander'
import { parseHmrcRates } from '#books/hmrc-rates.ts'
import { ask } from '#cli/ask.ts'
import { changes, reads } from '#cli/classes.ts'
import { withCsvFaults } from '#cli/csv-faults.ts'
import { JSON_OPTION, readRate, YES_OPTION } from '#cli/options.ts'
import { readDay, readMonth } from '#cli/periods.ts'
import { say, sayJson, sayTable } from '#cli/print.ts'
import { readNamedFile } from '#cli/read-file.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import type { Db } from '#database/client.ts'
import {
  findFarRate,
  type NewRate,
  type RateKind,
  type RateSet,
  setAccountingRate,
} from '#invoices/set-accounting-rate.ts'
import { type AccountingRate, listAccountingRates } from '#invoices/sterling.ts'

/** What a kind is of, and how its rates are told. */
const KINDS = {
  sterling: {
    currency: 'EUR',
    sentence: ({ currency, day, rateMicro }: NewRate) =>
      `£1 is ${formatRate(rateMicro)} ${currency} in the books of ${monthOf(day)}`,
    period: (day: string) => monthOf(day),
  },
  ecb: {
    currency: 'GBP',
    sentence: ({ currency, day, rateMicro }: NewRate) =>
      `€1 is ${formatRate(rateMicro)} ${currency} on ${day}`,
    period: (day: string) => day,
  },
} as const satisfies Readonly<Record<RateKind, unknown>>

const readCurrencyOf = (kind: RateKind) => (text: string) => {
  const { currency } = KINDS[kind]
  if (text.toUpperCase() !== currency) throw new InvalidArgumentError(`Expected ${currency}.`)
  return currency
}

const refuseFuture = (kind: RateKind, { day }: NewRate): void => {
  const today = isoDay(new Date())
  const isTooFar = kind === 'sterling' ? monthOf(day) > addMonths(monthOf(today), 1) : day > today
  if (isTooFar)
    throw new Refusal(
      kind === 'sterling'
        ? `${monthOf(day)} is more than a month ahead: HMRC has published no rate of it yet.`
        : `${day} is still to come: the European Central Bank publishes its rate on that day, in the afternoon.`,
    )
}

const present = ({ currency, day, rateMicro }: NewRate) => ({ currency, day, rate: formatRate(rateMicro) })

type SetOptions = { correct?: true; yes?: true; json?: true }

const why = (kind: RateKind, rate: NewRate, { isMicro, isUsed }: RateSet & { kind: 'refused' }): Refusal => {
  const isThere = KINDS[kind].sentence({ ...rate, rateMicro: isMicro })
  return new Refusal(
    isUsed
      ? `${isThere}, and invoices were written with that: it stays.`
      : `${isThere} already. If that is a mistake, replace it with --correct.`,
  )
}

/** Asks about what may be a slip of the hand. */
const askAboutFar = async (db: Db, kind: RateKind, rate: NewRate, yes: true | undefined): Promise<void> => {
  const far = await findFarRate(db, kind, rate)
  if (!far) return
  const other = `${formatRate(far.rateMicro)} of ${KINDS[kind].period(far.day)}`
  await ask(
    `Set ${formatRate(rate.rateMicro)}? It is more than a tenth away from the rate next to it, ${other}.`,
    yes,
  )
}

/** All of them, or none. */
const setAll = async (db: Db, kind: RateKind, rates: readonly NewRate[], { correct, yes }: SetOptions) => {
  for (const rate of rates) refuseFuture(kind, rate)
  for (const rate of rates) await askAboutFar(db, kind, rate, yes)
  return db.transaction().execute(async (trx) => {
    const outcomes: { rate: NewRate; outcome: Exclude<RateSet, { kind: 'refused' }> }[] = []
    for (const rate of rates) {
      const outcome = await setAccountingRate(trx, kind, rate, { mayCorrect: correct })
      if (outcome.kind === 'refused') throw why(kind, rate, outcome)
      outcomes.push({ rate, outcome })
    }
    return outcomes
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
    say(`${KINDS[kind].sentence(rate)}${OUTCOMES[outcome.kind]}${was}.`)
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
  return withCsvFaults(() => parseHmrcRates(bytes, [KINDS.sterling.currency]), 'Nothing was set.')
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
          KINDS[kind].period(day),
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
    .argument('<currency>', KINDS.sterling.currency, readCurrencyOf('sterling'))
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
    .argument('<currency>', KINDS.ecb.currency, readCurrencyOf('ecb'))
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
