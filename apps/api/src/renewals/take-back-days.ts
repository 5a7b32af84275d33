import { endAfterRefund } from '@hedgerow/domain/renewals'
import { lockConnections } from '#connections/connections.service.ts'
import type { Trx } from '#database/client.ts'
import { cutOff, touchPeers } from '#nodes/peers.ts'
import { findNow, listIdsOf, listStanding, type Standing, setEnd } from '#renewals/renewals.queries.ts'

const optionsOf = (bought: readonly Standing[]): number =>
  bought.reduce((mask, { options }) => mask | options, 0)

/**
 * The money for it was given back: what the payment made or extended ends as though it had never been paid, with the
 * options that the other payments bought. What no payment stands for any more goes from its node at once.
 */
export const takeBackDays = async (trx: Trx, paymentId: string): Promise<void> => {
  const rows = await lockConnections(trx, await listIdsOf(trx, paymentId))
  const ids = rows.map(({ id }) => id)
  const now = await findNow(trx)
  const standing = Map.groupBy(await listStanding(trx, ids), ({ connection_id }) => connection_id)
  for (const { id, expires_at, options } of rows) {
    const bought = standing.get(id)
    const days = (bought ?? []).flatMap(({ at, days }) => (days === null ? [] : [{ at, days }]))
    const end = endAfterRefund(expires_at ?? now, days, now)
    await setEnd(trx, id, end, bought ? optionsOf(bought) : options)
  }
  await cutOff(
    trx,
    ids.filter((id) => !standing.has(id)),
  )
  await touchPeers(
    trx,
    ids.filter((id) => standing.has(id)),
  )
}
