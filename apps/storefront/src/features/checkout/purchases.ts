/**
 * The purchases of plans that this tab has begun, each under an id by which the shop takes it once: over a reload, over a
 * way back, and in whatever tab is made of this one. It ends when the page has said that it is paid.
 */
import { randomId } from '@hedgerow/web/random-id.ts'

/** `paymentId`: where its last press has led to. */
type Purchase = { id: string; begunAt: number; paymentId?: string }

const PREFIX = 'purchase:'
/** Who comes back later than that to a page that was left open buys anew. */
const LASTS_MS = 24 * 60 * 60_000

/** For as long as the page lives, in a browser that stores nothing for us. */
const unstored = new Map<string, Purchase>()

const isPurchase = (value: unknown): value is Purchase => {
  const { id, begunAt } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof begunAt === 'number'
}

const read = (key: string): Purchase | undefined => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null')
    return isPurchase(kept) ? kept : unstored.get(key)
  } catch {
    return unstored.get(key)
  }
}

const keep = (key: string, purchase: Purchase) => {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(purchase))
  } catch {
    unstored.set(key, purchase)
  }
}

/** The purchase that is under way at a plan's checkout; a new one where there is none. */
const purchaseAt = (key: string): Purchase => {
  const begun = read(key)
  if (begun && Date.now() - begun.begunAt < LASTS_MS) return begun
  const purchase = { id: randomId(), begunAt: Date.now() }
  keep(key, purchase)
  return purchase
}

/** What the checkout of a plan buys, for an account. */
export const purchaseOf = (accountId: string, planId: string) => {
  const key = `${accountId}:${planId}`
  return {
    /** Read anew for each press: the tab may have seen its end in another document. */
    id: () => purchaseAt(key).id,
    /** Notes where a press has led to. False when an earlier one led there as well. */
    leadTo: (paymentId: string): boolean => {
      const purchase = purchaseAt(key)
      keep(key, { ...purchase, paymentId })
      return purchase.paymentId !== paymentId
    },
  }
}

/** The page has said that this payment has succeeded: the same bought again is another purchase. */
export const endPurchase = (paymentId: string) => {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && read(key.slice(PREFIX.length))?.paymentId === paymentId)
        sessionStorage.removeItem(key)
    }
  } catch {
    // Where nothing can be stored, nothing is.
  }
}
