import type { CurrencyCode } from '@hedgerow/domain/money'
import { findRate, insertRate, listRates } from '#money/rates/rates.queries.ts'
import type { With } from '#platform/dependencies.ts'

export { countOldRates, seedDemonstrationRates } from '#money/rates/rates.queries.ts'

type Deps = With<'db'>

/** What one unit of each currency is worth in PLN now, in millionths; none for a currency that was never set. */
export const currentRates = ({ db }: Deps) => listRates(db)

export const currentRate = ({ db }: Deps, currency: CurrencyCode) => findRate(db, currency)

/** From now on Blik is paid at this rate. Attempts under way keep theirs. */
export const setRate = async ({ db }: Deps, currency: CurrencyCode, rateMicro: number) => {
  await insertRate(db, currency, rateMicro)
  return currentRate({ db }, currency)
}
