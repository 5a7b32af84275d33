import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { levelFor } from '@hedgerow/domain/partnership'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import { countGuesses } from '#catalogue/promocodes/promocode-tries.ts'
import { countUncreditedUses, findPromocode } from '#catalogue/promocodes/promocodes.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { RateCounter } from '#platform/http/limits/rate-counter.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

export {
  type PromocodeRow,
  promocodeOrder,
  selectPromocodes,
} from '#catalogue/promocodes/promocodes.queries.ts'

/** A code that may be used, and the per cent that it takes off the price. */
export type JudgedPromocode = { promocode: string; percentage: number }

const refused = (message: string) => invalidField('promocode', message)

/**
 * The one place where a code that a customer enters is judged. Its discount equals the share of its owner's level (spec
 * §9). Throws 'invalid' for one that does not exist, is closed, the customer's own, or used up; what others are paying with it
 * counts as used. Whether a use is left for a payment is settled when that starts, by `takeUse`. Throws
 * 'too-many-requests' for an account that has guessed too often. Not to be called in a transaction: guesses are counted
 * by a connection of their own, and for good.
 */
export const validatePromocode = async (
  { db, rateCounter }: { db: Db; rateCounter: RateCounter },
  customerId: string,
  code: string,
): Promise<JudgedPromocode> => {
  const found = await countGuesses({ rateCounter }, customerId, async () => {
    const known = await findPromocode(db, code)
    // To others a closed one is as good as none.
    return known?.promocode_closed_at && known.id !== customerId ? undefined : known
  })
  if (!found) throw refused(OUR_MESSAGES.promocodeUnknown)
  if (found.id === customerId) throw refused(OUR_MESSAGES.promocodeOwn)
  if (found.promocode_limit !== null) {
    const used = found.promocode_uses + (await countUncreditedUses(db, code, { customerId }))
    if (used >= found.promocode_limit) throw refused(OUR_MESSAGES.promocodeUsedUp)
  }
  return { promocode: found.promocode, percentage: levelFor(found.settled).percentage }
}

const GONE = 'This promocode is no longer valid. Remove it or enter another. Nothing was charged.'

/**
 * Lets an order be paid with its promocode. The partner is locked until the transaction ends: of many who come for the last
 * use one gets it, and none comes between a payment's credit and its count. To be called with the order locked.
 * Throws 'promocode-used-up', also for a code that has been closed, or whose owner has gone.
 */
export const takeUse = async (
  trx: Trx,
  code: string,
  { customerId, orderId }: { customerId: string; orderId: string },
): Promise<void> => {
  const owner = await findPromocode(trx, code)
  const partner = owner && owner.id !== customerId ? await lockPartner(trx, owner.id) : undefined
  if (!partner || partner.promocode_closed_at) throw new Problem('promocode-used-up', { detail: GONE })
  if (partner.promocode_limit === null) return
  const used = partner.promocode_uses + (await countUncreditedUses(trx, code, { orderId }))
  if (used >= partner.promocode_limit) throw new Problem('promocode-used-up')
}
