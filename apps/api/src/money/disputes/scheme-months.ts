import { cardBrand } from '@hedgerow/domain/cards'
import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, daysOfMonth, instantsOf, monthOf } from '@hedgerow/domain/periods'
import { judgeMonth, SCHEMES, type Scheme } from '@hedgerow/domain/scheme-programmes'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

type Counted = {
  brand: string | null
  beginning: string
  payments: number
  disputes: number
  fraud: number
  won: number
}

/**
 * By brand, or how the cards' numbers begin: payments that went through in the time, and disputes that were opened in it. Cards of erased
 * accounts are not known any more, and count for no scheme.
 */
const countBetween = async (db: Db, from: Date, to: Date): Promise<Counted[]> => {
  const { rows } = await sql<Counted>`
    select brand, beginning, sum(payments)::int as payments, sum(disputes)::int as disputes, sum(fraud)::int as fraud, sum(won)::int as won
    from (
      select card_brand as brand, left(pan_masked, 4) as beginning, 1 as payments, 0 as disputes, 0 as fraud, 0 as won from payments
      where status = 'Success' and ended_at >= ${from} and ended_at < ${to} and pan_masked is not null
      union all
      select card_brand, left(pan_masked, 4), 0, 1, (reason_group = 'fraud')::int, (disputes.status in ('won', 'reversed'))::int
      from disputes join payments on payments.id = payment_id
      where opened_at >= ${from} and opened_at < ${to} and pan_masked is not null
    ) as counted group by brand, beginning`.execute(db)
  return rows.map((row) => ({ ...row, fraud: row.fraud ?? 0 }))
}

const countMonth = async (db: Db, month: string) => {
  const { begins, ends } = instantsOf(daysOfMonth(month))
  const rows = await countBetween(db, begins, ends)
  return (scheme: Scheme) => {
    const own = rows.filter(({ brand, beginning }) => (brand ?? cardBrand(beginning)) === scheme)
    const total = (name: 'payments' | 'disputes' | 'fraud' | 'won') =>
      own.reduce((sum, row) => sum + row[name], 0)
    return {
      payments: total('payments'),
      disputes: total('disputes'),
      fraud: total('fraud'),
      won: total('won'),
    }
  }
}

export type SchemeMonthFacts = { month: string; scheme: Scheme; won: number; disputes: number } & ReturnType<
  typeof judgeMonth
>

/** The latest so many months in London, the present one first; each card scheme against its own limit. */
export const listSchemeMonths = async (db: Db, months: number, now: Date): Promise<SchemeMonthFacts[]> => {
  const present = monthOf(isoDay(now))
  const facts: SchemeMonthFacts[] = []
  let counted = await countMonth(db, present)
  for (let back = 0; back < months; back++) {
    const before = await countMonth(db, addMonths(present, -back - 1))
    for (const scheme of SCHEMES) {
      const own = counted(scheme)
      const judged = judgeMonth(scheme, { ...own, paymentsBefore: before(scheme).payments })
      facts.push({
        month: addMonths(present, -back),
        scheme,
        won: own.won,
        disputes: own.disputes,
        ...judged,
      })
    }
    counted = before
  }
  return facts
}

/** Fewer disputes than that are near no limit. Payments are counted only beyond: there are many of them. */
const FEWEST = 5

/** Schemes whose limit is near or reached, in this month or the one before. */
export const countNearLimits = async (db: Db, now = new Date()): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from disputes where opened_at > now() - interval '62 days'`.execute(db)
  if ((rows[0]?.count ?? 0) < FEWEST) return 0
  const near = (await listSchemeMonths(db, 2, now)).filter(({ standing }) => standing !== 'below')
  return new Set(near.map(({ scheme }) => scheme)).size
}
