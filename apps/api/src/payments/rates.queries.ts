import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Db } from '#database/client.ts'

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

export const insertRate = async (db: Db, currency: CurrencyCode, rateMicro: number): Promise<void> => {
  await db.insertInto('rates').values({ currency, rate_micro: rateMicro }).execute()
}

/** What the sandbox's Blik is paid at until somebody sets a rate. */
export const seedDemonstrationRates = async (db: Db): Promise<void> => {
  if ((await listRates(db)).length > 0) return
  await insertRate(db, 'EUR', 4_250_000)
  await insertRate(db, 'GBP', 5_030_000)
}
