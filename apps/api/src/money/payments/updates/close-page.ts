import { type GatewayDependencies, gatewayOf, refOf } from '#money/gateway/gateway.ts'
import { findPayment } from '#money/payments/payments.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

/** For an attempt that is given up with this change: its page at the gateway, where it has one, is not to be paid at any more. */
export const queueClosing = (trx: Trx, paymentId: string): Promise<void> =>
  addJob(trx, 'close-page', { paymentId }, { key: `close-page:${paymentId}` })

/** Tried once: what is paid there all the same counts, or goes back. */
export const closePage = async (
  { db, gateways }: With<'db'> & GatewayDependencies,
  paymentId: string,
): Promise<void> => {
  const row = await findPayment(db, paymentId)
  if (row?.gateway_ref) await gatewayOf(gateways, row.gateway).close?.(refOf(row))
}
