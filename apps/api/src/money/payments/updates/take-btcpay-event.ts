import { isSignedHint, readHint } from '#money/gateway/btcpay/read-hint.ts'
import { type NewsDependencies, takeNews } from '#money/payments/updates/take-news.ts'
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
  await takeNews(deps, 'btcpay', hint.storeId === btcpay.store ? hint : undefined)
}
