import { type RawBuilder, sql } from 'kysely'
import { type CheckedMonth, checkMonth } from '#accounting/month-end/check-month.ts'
import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Part = RawBuilder<unknown>
type Write = (trx: Db) => Promise<unknown>

const TAKEN_BACK = 'this was only tried'

export const differing = ({ lines }: CheckedMonth) => lines.filter(({ agrees }) => !agrees)
export const remarksOf = (checked: CheckedMonth): string[] =>
  differing(checked).flatMap(({ differences }) => differences.map(({ says }) => says))

/** A snapshot of which the number at a path is more by so much. */
export const more = (path: string, by = 1): Part => sql`jsonb_set(snapshot, ${path.split('.')}::text[],
  to_jsonb((snapshot #>> ${path.split('.')}::text[])::numeric + ${by}))`

/** Changes of one row of a month's books, past all the rules that keep them right. */
export const createBreaker = (shop: Pick<TestShop, 'db'>, month: Month) => {
  const within = sql`between ${month.from} and ${new Date(month.to.getTime() - 1)}`

  /** A statement that has to hit exactly one row. */
  const one =
    (statement: (within: Part) => Part): Write =>
    async (trx) => {
      const { numAffectedRows } = await statement(within).execute(trx)
      if (numAffectedRows !== 1n) throw new Error(`${numAffectedRows} rows were changed`)
    }

  const isWhole = (
    currency: string,
  ): Part => sql`payments.ended_at ${within} and is_invoiced and refunded_minor = 0
    and charged_currency = ${currency} and coalesce(vat_country, 'GB') = 'GB'`

  /** A payment in the United Kingdom that has its invoice, and of which nothing went back. */
  const whole = (currency = 'GBP'): Part =>
    sql`(select id from payments where ${isWhole(currency)} order by id limit 1)`

  /** The invoice of such a payment, neither the first nor the last of its year. */
  const wholeInvoice = (currency = 'GBP'): Part =>
    sql`(select order_id from invoices as held join payments using (order_id)
      where ${isWhole(currency)}
        and number between 2 and (select last - 1 from invoice_counters where year = held.year) order by 1 limit 1)`

  /** A credit note that is neither the first nor the last of its year. */
  const aNote = sql`(select refund_id from credit_notes as held
    where (snapshot ->> 'refundedAt')::timestamptz ${within} and number between 2 and
      (select last - 1 from credit_note_counters where year = held.year) order by 1 limit 1)`

  /** What the check says after something was written; it is taken back. */
  const after = async (write: Write): Promise<CheckedMonth> => {
    let checked: CheckedMonth | undefined
    await shop.db
      .transaction()
      .execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx)
        await write(trx)
        checked = await checkMonth({ db: trx }, month, new Date())
        throw new Error(TAKEN_BACK)
      })
      .catch((error: Error) => {
        if (error.message !== TAKEN_BACK) throw error
      })
    return checked as CheckedMonth
  }

  return {
    after,
    one,
    whole,
    wholeInvoice,
    aNote,
    ofInvoice: (change: Part, currency = 'GBP') =>
      one(() => sql`update invoices set ${change} where order_id = ${wholeInvoice(currency)}`),
    ofNote: (change: Part) => one(() => sql`update credit_notes set ${change} where refund_id = ${aNote}`),
    ofPayment: (change: Part) => one(() => sql`update payments set ${change} where id = ${whole()}`),
  }
}
