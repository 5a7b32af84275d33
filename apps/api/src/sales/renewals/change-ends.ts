import { sumOfUse, type Use, useOf } from '@hedgerow/domain/cancellations'
import { endAfterChange, windowsOf } from '@hedgerow/domain/renewals'
import { lockConnections } from '#network/connections/connections.service.ts'
import { cutOff, touchPeers } from '#network/nodes/peers.ts'
import { endLinks } from '#people/share-links/share-links.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import {
  findNow,
  listConnectionsOf,
  listIdsOf,
  listPurchases,
  type PurchaseRow,
  setEnd,
} from '#sales/renewals/renewals.queries.ts'

const byConnection = (purchases: readonly PurchaseRow[]) =>
  Map.groupBy(purchases, ({ connection_id }) => connection_id)

const isStanding = ({ payment_id, is_brought, cancelledAt, givenBackAt }: PurchaseRow) =>
  is_brought || (payment_id !== null && !cancelledAt && !givenBackAt)

/** Days that the shop gave go with the last payment: they extend what was bought, and are nothing by themselves. */
const withGiven = (purchases: readonly PurchaseRow[]) =>
  purchases.some(isStanding) ? purchases : purchases.filter(({ payment_id }) => payment_id !== null)

const optionsOf = (bought: readonly PurchaseRow[]): number =>
  bought.reduce((mask, { options }) => mask | options, 0)

/** What a payment has made or extended, locked; after its order and the payment itself, as by everyone who locks them. */
export const lockBoughtBy = async (trx: Trx, paymentId: string) =>
  lockConnections(trx, await listIdsOf(trx, paymentId))

/**
 * A payment was given back whole, or cancelled: what it made or extended ends by the purchases that stand, with the
 * options that those bought. What no payment stands for any more goes from its node at once.
 */
export const changeEndsOf = async (trx: Trx, paymentId: string): Promise<void> => {
  const rows = await lockBoughtBy(trx, paymentId)
  const ids = rows.map(({ id }) => id)
  const now = await findNow(trx)
  const purchases = byConnection(await listPurchases(trx, ids))
  const standing = byConnection([...purchases.values()].flat().filter(isStanding))
  const over: string[] = []
  for (const { id, expires_at, options, ended_by_hand } of rows) {
    const end = endAfterChange(expires_at, windowsOf(withGiven(purchases.get(id) ?? []), ended_by_hand), now)
    const bought = standing.get(id)
    await setEnd(trx, id, end, bought ? optionsOf(bought) : options)
    if (end && end <= now) over.push(id)
  }
  await endLinks(trx, over)
  await cutOff(
    trx,
    ids.filter((id) => !standing.has(id)),
  )
  await touchPeers(
    trx,
    ids.filter((id) => standing.has(id)),
  )
}

export type BoughtPayment = {
  id: string
  /** What it is of: null for ever. */
  days: number | null
  connections: number
  delivered_at: Date | null
}

/** What of a payment was used by these times. A connection that is gone was used up. */
export const measureUse = async (db: Db, payment: BoughtPayment, at: Date): Promise<Use> => {
  const rows = await listConnectionsOf(db, payment.id)
  const purchases = byConnection(
    await listPurchases(
      db,
      rows.map(({ id }) => id),
    ),
  )
  const windows = rows.flatMap(({ id, ended_by_hand }) => {
    const all = purchases.get(id) ?? []
    const own = windowsOf(all, ended_by_hand)[all.findIndex(({ payment_id }) => payment_id === payment.id)]
    return own ? [own] : []
  })
  const gone = Array.from({ length: Math.max(0, payment.connections - windows.length) }, () => ({
    start: payment.delivered_at ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
  }))
  return sumOfUse([...windows, ...gone].map((window) => useOf(payment, window, at)))
}

/** Where the connections of a payment would end if it were cancelled now. Those that have ended are left out. */
export const foreseeEnds = async (db: Db, paymentId: string, cancelledAt: Date, now: Date) => {
  const rows = (await listConnectionsOf(db, paymentId)).filter(
    ({ expires_at }) => !(expires_at && expires_at <= now),
  )
  const purchases = byConnection(
    await listPurchases(
      db,
      rows.map(({ id }) => id),
    ),
  )
  return rows.map(({ id, name, expires_at, ended_by_hand }) => {
    const bought = (purchases.get(id) ?? []).map((one) =>
      one.payment_id === paymentId ? { ...one, cancelledAt } : one,
    )
    return {
      id,
      name,
      end: endAfterChange(expires_at, windowsOf(withGiven(bought), ended_by_hand), now) ?? now,
    }
  })
}
