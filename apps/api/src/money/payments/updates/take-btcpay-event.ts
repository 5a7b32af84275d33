import { isSignedHint, readHint } from '#money/gateway/btcpay/read-hint.ts'
import { type NewsDependencies, takeNews } from '#money/payments/updates/take-news.ts'
import { findClaimedPayment } from '#money/refunds/claims.queries.ts'
import { Problem } from '#platform/http/problems.ts'

/**
 * A webhook says that there is news of an invoice, and the server is asked which: it carries no stamp, so that anybody who has
 * seen one may send it again. Throws 'callback-refused' for what no secret of ours signed; 'payment-not-found' without a server.
 */
export const takeBtcpayEvent = async (
  deps: NewsDependencies,
  raw: Uint8Array,
  signature: string,
): Promise<void> => {
  const { settings, meters } = deps
  const { btcpay } = settings
  if (!btcpay) throw new Problem('payment-not-found')
  const bytes = Buffer.from(raw)
  const hint = isSignedHint(bytes, signature, btcpay.webhookSecrets) ? readHint(bytes) : undefined
  if (!hint) {
    meters.calledBack('refused')
    throw new Problem('callback-refused')
  }
  if (hint.storeId !== btcpay.store) return takeNews(deps, 'btcpay', undefined)
  const paymentId = hint.paymentId ?? (hint.claimRef && (await findClaimedPayment(deps.db, hint.claimRef)))
  await takeNews(deps, 'btcpay', { paymentId, ref: hint.ref })
}
