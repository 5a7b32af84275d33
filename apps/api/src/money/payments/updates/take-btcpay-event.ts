import { isSignedHint, readHint } from '#money/gateway/btcpay/read-hint.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { findPayment } from '#money/payments/payments.queries.ts'
import { checkNow } from '#money/payments/updates/check-payments.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'> &
  Pick<PaymentDependencies, 'statuses' | 'gateways'>

/**
 * A webhook says that there is news of an invoice, and the server is asked which: it carries no stamp, so that anybody who has
 * seen one may send it again. Throws 'callback-refused' for what no secret of ours signed; 'payment-not-found' without a server.
 */
export const takeBtcpayEvent = async (deps: Deps, raw: Uint8Array, signature: string): Promise<void> => {
  const { settings, meters, statuses } = deps
  const { btcpay } = settings
  if (!btcpay) throw new Problem('payment-not-found')
  const bytes = Buffer.from(raw)
  const hint = isSignedHint(bytes, signature, btcpay.webhookSecrets) ? readHint(bytes) : undefined
  if (!hint) {
    meters.calledBack('refused')
    throw new Problem('callback-refused')
  }
  const isOurs = hint.storeId === btcpay.store && hint.paymentId !== undefined
  const payment = isOurs ? await findPayment(deps.db, hint.paymentId ?? '') : undefined
  // Of another shop in the same store, or of something that the shop does not keep.
  if (payment?.gateway !== 'btcpay') return meters.calledBack('nothing-new')
  await checkNow(deps, payment)
  statuses.forget(payment.id)
  meters.calledBack('applied')
}
