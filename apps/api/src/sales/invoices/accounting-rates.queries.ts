import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { AccountingRatesTable } from '#platform/database/tables/invoices.table.ts'

type Kind = AccountingRatesTable['kind']

/** `day`: 'YYYY-MM-DD'. `rateMicro`: millionths of a unit of the currency for one pound, or one euro. */
export type AccountingRate = { currency: string; day: string; rateMicro: number; setAt: Date }

/** Every rate of a kind, the oldest first. */
export const listAccountingRates = async (db: Db, kind: Kind): Promise<AccountingRate[]> => {
  const rows = await db
    .selectFrom('accounting_rates')
    .select(['currency', 'rate_micro', 'set_at', sql<string>`to_char(day, 'YYYY-MM-DD')`.as('on_day')])
    .where('kind', '=', kind)
    .orderBy('accounting_rates.day')
    .orderBy('currency')
    .execute()
  return rows.map(({ currency, on_day, rate_micro, set_at }) => ({
    currency,
    day: on_day,
    rateMicro: Number(rate_micro),
    setAt: set_at,
  }))
}

/** False where that day has a rate already. What was written with a rate stays as it is, so none is changed. */
export const insertAccountingRate = async (
  db: Db,
  kind: Kind,
  { currency, day, rateMicro }: Omit<AccountingRate, 'setAt'>,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('accounting_rates')
    .values({ kind, currency, day: sql<string>`${day}::date`, rate_micro: rateMicro })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Replaces a rate that is there. */
export const replaceAccountingRate = async (
  db: Db,
  kind: Kind,
  { currency, day, rateMicro }: Omit<AccountingRate, 'setAt'>,
): Promise<void> => {
  await db
    .updateTable('accounting_rates')
    .set({ rate_micro: rateMicro, set_at: sql<Date>`now()` })
    .where('kind', '=', kind)
    .where('currency', '=', currency)
    .where(sql<boolean>`day = ${day}::date`)
    .execute()
}

/** Whether an invoice was written with the rate of that day. Issuing invoices waits, and reads the rates afterwards. */
export const isWrittenWith = async (
  trx: Trx,
  { currency, day }: Pick<AccountingRate, 'currency' | 'day'>,
): Promise<boolean> => {
  await sql`lock table invoice_counters in exclusive mode`.execute(trx)
  const { rows } = await sql`
    select from issued_invoices where year >= extract(year from ${day}::date)
      and snapshot ->> 'currency' = ${currency} and snapshot -> 'sterling' ->> 'rateDay' = ${day}
    limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Months of which a sale's currency has no rate in pounds: the current one, and in its last three days the next one too, for
 * each currency of which there is a sale this month.
 */
export const countMissingSterling = async (db: Db, now: Date = new Date()): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with clock as (select (${now}::timestamptz at time zone 'Europe/London')::date as today),
    months as (
      select date_trunc('month', today)::date as month from clock
      union all
      select (date_trunc('month', today) + interval '1 month')::date from clock
        where today + 3 >= (date_trunc('month', today) + interval '1 month')::date
    ),
    sold as (
      select code from unnest(${sql.val(CURRENCY_CODES.filter((code) => code !== 'GBP'))}::text[]) as known (code), clock
      where exists (select from payments where currency = code and status = 'Success' and not refund_due
        and isfinite(ended_at) and ended_at >= date_trunc('month', today)::timestamp at time zone 'Europe/London')
    )
    select count(*)::int as count from months cross join sold
    where not exists (select from accounting_rates where kind = 'sterling' and currency = code
      and day >= month and day < month + interval '1 month')`.execute(db)
  return rows[0]?.count ?? 0
}
