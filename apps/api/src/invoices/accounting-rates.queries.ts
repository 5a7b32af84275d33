import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { AccountingRatesTable } from '#database/tables/invoices.table.ts'

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
