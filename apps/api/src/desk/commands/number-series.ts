import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCreditNoteNumber, readInvoiceNumber, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { Db } from '#platform/database/client.ts'
import {
  getNextNumber,
  type NextNumber,
  type NumberSeries,
  SERIES,
  setNextNumber,
  type WantedNumber,
} from '#sales/invoices/next-number.ts'

type Words = {
  one: string
  many: string
  numberOf: (year: number, number: number) => string
  read: (text: string) => WantedNumber
  /** How a number may be typed. */
  like: string
}

export const SERIES_WORDS: Readonly<Record<NumberSeries, Words>> = {
  invoices: {
    ...SERIES.invoices,
    many: 'Invoices',
    read: readInvoiceNumber,
    like: 'like 120, for the current year, or 2026-000120',
  },
  'credit-notes': {
    ...SERIES['credit-notes'],
    many: 'Credit notes',
    read: readCreditNoteNumber,
    like: 'like 12, for the current year, or CN-2026-000012',
  },
}

const present = (series: NumberSeries, { year, next, gaps }: NextNumber) => {
  const { numberOf } = SERIES_WORDS[series]
  return {
    next: numberOf(year, next),
    missing: gaps.map(({ first, last, created_at }) => ({
      from: numberOf(year, first),
      to: numberOf(year, last),
      because: 'lost in a restore',
      at: created_at.toISOString(),
    })),
  }
}

type Json = { json?: true }

const showNext = (series: NumberSeries, { json }: Json) =>
  withDatabase(async (db) => {
    const told = present(series, await getNextNumber(db, undefined, series))
    if (json) return sayJson(told)
    say(`The next ${SERIES_WORDS[series].one} is ${told.next}.`)
    for (const { from, to, because, at } of told.missing)
      say(`Missing: ${from} to ${to}, ${because} (${at.slice(0, 10)}).`)
  })

const question = async (
  db: Db,
  series: NumberSeries,
  { number, year }: WantedNumber,
): Promise<string | undefined> => {
  const { numberOf, one } = SERIES_WORDS[series]
  const now = await getNextNumber(db, year, series)
  if (number <= now.next) return undefined
  const [first, last] = [now.next, number - 1].map((at) => numberOf(now.year, at))
  const left = `${counted(number - now.next, 'number')}, ${first} to ${last},`
  return `${left} will be left out and recorded as lost in a restore. Make ${numberOf(now.year, number)} the next ${one}?`
}

const setNext = (series: NumberSeries, wanted: WantedNumber, { yes, json }: Json & { yes?: true }) =>
  withDatabase(async (db) => {
    const { numberOf, one, many } = SERIES_WORDS[series]
    const asked = await question(db, series, wanted)
    if (asked) await ask(asked, yes)
    const outcome = await db.transaction().execute((trx) => setNextNumber(trx, wanted, series))
    if (outcome.kind === 'refused')
      throw new Refusal(
        `${many} up to ${numberOf(outcome.year, outcome.last)} have been issued, so the next number must be higher.`,
      )
    const now = await getNextNumber(db, outcome.year, series)
    if (json) return sayJson({ isChanged: outcome.kind === 'set', ...present(series, now) })
    const opening = outcome.kind === 'set' ? 'From now on' : 'Nothing changed:'
    say(`${opening} the next ${one} is ${numberOf(now.year, now.next)}.`)
  })

/** `next` and `from` of a series: where its numbers stand, and where they go on after a restore. */
export const addSeries = (group: Command, series: NumberSeries): void => {
  const { one, read, like } = SERIES_WORDS[series]
  reads(group.command('next'))
    .description(
      `The number of the next ${one}, and this year’s numbers that are missing because of a restore.`,
    )
    .addOption(JSON_OPTION)
    .action((options: Json) => showNext(series, options))
  changes(group.command('from'))
    .description(
      `After a restore: set the number of the next ${one}. The numbers before it were used by the shop that was lost, ` +
        'or may have been: they are left out, and recorded as lost. This cannot be undone.',
    )
    .argument('<number>', like, read)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action((wanted: WantedNumber, options: Json & { yes?: true }) => setNext(series, wanted, options))
}
