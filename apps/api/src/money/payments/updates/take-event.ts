import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayName } from '@hedgerow/domain/gateways'
import { askAgain } from '#money/disputes/hints.queries.ts'
import type { Adapter } from '#money/gateway/adapter.ts'
import { ADAPTERS } from '#money/gateway/adapters.ts'
import { type NewsDependencies, takeNews } from '#money/payments/updates/take-news.ts'
import { findClaimedPayment } from '#money/refunds/claims.queries.ts'
import { Problem } from '#platform/http/problems.ts'

/**
 * An event says that there is news of a payment; what the news is, the gateway is asked. So it does not matter whether events
 * repeat, overtake each other, come late, or are sent again by somebody who has seen one. Throws 'callback-refused' for what no
 * secret of ours signed; 'payment-not-found' without the gateway's keys.
 */
export const takeEvent = async (
  deps: NewsDependencies,
  name: GatewayName,
  raw: Uint8Array,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  const { db, settings, meters, gateways } = deps
  const { readEvent }: Adapter = ADAPTERS[name]
  if (!readEvent || !gateways[name]) throw new Problem('payment-not-found')
  const event = readEvent(settings, Buffer.from(raw), headers, new Date())
  if (!event) {
    meters.calledBack('refused')
    throw new Problem('callback-refused')
  }
  if (event.about === 'disputes') {
    await askAgain(db)
    return meters.calledBack('applied')
  }
  const { paymentId, claimRef, ref } = event
  const claimed = claimRef === undefined ? undefined : await findClaimedPayment(db, claimRef)
  await takeNews(deps, name, { paymentId: paymentId ?? claimed, ref })
}
