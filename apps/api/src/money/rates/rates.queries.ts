import { CURRENCY_CODES, type CurrencyCode } from '@hedgerow/domain/money'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** The latest rate of each currency. */
export const listRates = (db: Db) =>
  db
    .selectFrom('rates')
    .distinctOn('currency')
    .select(['currency', 'rate_micro', 'set_at'])
    .orderBy('currency')
    .orderBy('set_at', 'desc')
    .execute()

export const findRate = async (db: Db, currency: CurrencyCode) =>
  (await listRates(db)).find((rate) => rate.currency === currency)

/** Every rate that a currency has had, the latest first. */
export const listRatesOf = (db: Db, currency: CurrencyCode) =>
  db
    .selectFrom('rates')
    .select(['rate_micro', 'set_at'])
    .where('currency', '=', currency)
    .orderBy('set_at', 'desc')
    .execute()

const GOOD_FOR = sql`interval '30 days'`

/** Currencies that were paid by Blik lately, at a rate of long ago. */
export const countOldRates = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select currency, max(set_at) as set_at from rates group by currency) as latest
    where set_at <= now() - ${GOOD_FOR}
      and exists (select from payments
        where status = 'Success' and method = 'blik' and currency = latest.currency
          and ended_at > now() - ${GOOD_FOR})`.execute(db)
  return rows[0]?.count ?? 0
}

export const insertRate = async (db: Db, currency: CurrencyCode, rateMicro: number): Promise<void> => {
  await db.insertInto('rates').values({ currency, rate_micro: rateMicro }).execute()
}

const DEMONSTRATION_RATES: Readonly<Record<CurrencyCode, number>> = {
  EUR: 4_250_000,
  GBP: 5_030_000,
}

/** What the sandbox's Blik is paid at until an operator sets a rate. */
export const seedDemonstrationRates = async (db: Db): Promise<void> => {
  if ((await listRates(db)).length > 0) return
  for (const currency of CURRENCY_CODES) await insertRate(db, currency, DEMONSTRATION_RATES[currency])
}
