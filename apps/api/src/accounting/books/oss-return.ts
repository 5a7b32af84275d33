import { isoDay } from '@hedgerow/domain/dates'
import {
  addToOssSums,
  type OssDocument,
  type OssSums,
  ossReturnOf,
  quartersInPounds,
  type SummedOss,
} from '@hedgerow/domain/oss-return'
import { addDays, type DayRange, daysOfQuarter, quarterOf } from '@hedgerow/domain/periods'
import { taxOf } from '#accounting/books/in-pounds.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import {
  type BookedDocument,
  countUnwritten,
  inOneState,
  readDocuments,
  type Unwritten,
} from '#sales/invoices/documents.ts'
import { type AccountingRate, listAccountingRates } from '#sales/invoices/sterling.ts'

/** The bank publishes on its working days: after Easter or the New Year it may take so many. */
const LONGEST_WAIT_DAYS = 7

/** Pounds for one euro, of which quarter, and the day that it was published. */
export type UsedRate = { quarter: string; day: string; rateMicro: number }

export type OssReturn = DayRange &
  SummedOss & {
    quarter: string
    rates: UsedRate[]
    /** Its last day is still to come, or it is today. */
    isOver: boolean
    /** Not in the figures, whatever they turn out to be declared as. */
    unwritten: Unwritten
  }

const documentOf = (document: BookedDocument): OssDocument | undefined => {
  const { treatment, country, rate } = taxOf(document)
  if (treatment !== 'oss' || country === null) return undefined
  const { currency, netMinor, vatMinor } = document.snapshot
  return {
    kind: document.kind,
    country,
    rate,
    currency,
    netMinor,
    vatMinor,
    saleQuarter: quarterOf(document.saleDay),
  }
}

/** Of the last day of a quarter, or the next day that it was published. */
const rateOfQuarter = (rates: readonly AccountingRate[], quarter: string): UsedRate | undefined => {
  const { to } = daysOfQuarter(quarter)
  const rate = rates.find(
    ({ currency, day }) => currency === 'GBP' && day >= to && day <= addDays(to, LONGEST_WAIT_DAYS),
  )
  return rate && { quarter, day: rate.day, rateMicro: rate.rateMicro }
}

const ratesFor = async (db: Db, quarters: readonly string[]): Promise<UsedRate[]> => {
  const rates = await listAccountingRates(db, 'ecb')
  const found = quarters.map((quarter) => ({ quarter, rate: rateOfQuarter(rates, quarter) }))
  const missing = found.filter(({ rate }) => !rate)
  if (missing.length > 0)
    throw new MissingRate(
      missing.map(({ quarter }) => ({ kind: 'ecb', currency: 'GBP', when: daysOfQuarter(quarter).to })),
    )
  return found.flatMap(({ rate }) => rate ?? [])
}

/** What of a quarter belongs into its return: each in the currency that it was written in, before anything is converted. */
export const readOssSums = ({ db }: With<'db'>, quarter: string): Promise<OssSums> =>
  inOneState(db, async (state) => {
    const sums: OssSums = new Map()
    for await (const documents of readDocuments(state, daysOfQuarter(quarter)))
      for (const one of documents) {
        const document = documentOf(one)
        if (document) addToOssSums(sums, document)
      }
    return sums
  })

/**
 * What is to be declared in the non-Union One Stop Shop for a quarter, '2026-Q4', in euro cents: its sales to consumers of
 * member states less the credit notes on them, and what its credit notes correct of earlier quarters. Throws MissingRate.
 */
export const readOssReturn = ({ db }: With<'db'>, quarter: string): Promise<OssReturn> =>
  inOneState(db, async (state) => {
    const range = daysOfQuarter(quarter)
    const sums = await readOssSums({ db: state }, quarter)
    const rates = await ratesFor(state, quartersInPounds(sums))
    const rateOf = (of: string) => rates.find((rate) => rate.quarter === of)?.rateMicro ?? 0
    return {
      quarter,
      ...range,
      ...ossReturnOf(sums, quarter, rateOf),
      rates,
      isOver: range.to < isoDay(new Date()),
      unwritten: await countUnwritten(state, range),
    }
  })
