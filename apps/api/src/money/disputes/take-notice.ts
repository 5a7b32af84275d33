import { isPaymentId } from '@hedgerow/domain/ids'
import { keepGeneralHint, keepHints } from '#money/disputes/hints.queries.ts'
import type { With } from '#platform/dependencies.ts'

/** A day's notice of the gateway names a handful. */
const MOST_NAMED = 100

const paymentIdOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && Object.hasOwn(item, 'payment_id')
    ? (item as { payment_id: unknown }).payment_id
    : undefined

/** The payments that a notice names, each once. */
const namedIn = ({ chargebacks }: Record<string, unknown>): string[] => {
  const items = Array.isArray(chargebacks) ? chargebacks.slice(0, MOST_NAMED) : []
  const ids = items.map(paymentIdOf).filter((id): id is string => typeof id === 'string' && isPaymentId(id))
  return [...new Set(ids)]
}

/** How the gateway calls its notices: new_chargebacks_summary, new_pre_arbitration_summary and their like. */
const KIND = /^new_(?:chargebacks?|pre_arbitration|arbitration|retrieval)\w{0,40}$/

/** By which field it says so is not published. */
const isNotice = (body: Record<string, unknown>): boolean =>
  Object.entries(body)
    .slice(0, MOST_NAMED)
    .some(([name, value]) => KIND.test(name) || (typeof value === 'string' && KIND.test(value)))

/**
 * Takes in what may be the gateway's daily notice of chargebacks. It is not signed, so anyone could have sent it: nothing of
 * it is believed or kept but which of our payments it names, and that leads to nothing but asking the gateway.
 */
export const takeNotice = async ({ db }: With<'db'>, body: Record<string, unknown>): Promise<void> => {
  const ids = namedIn(body)
  if (ids.length > 0) return keepHints(db, ids)
  if (isNotice(body)) await keepGeneralHint(db)
}
