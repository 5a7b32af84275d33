import { askAgain } from '#money/disputes/hints.queries.ts'
import { isSignedEvent, readEvent } from '#money/gateway/stripe/read-event.ts'
import { isLiveKey } from '#money/gateway/stripe/stripe-call.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { findPayment } from '#money/payments/payments.queries.ts'
import { checkNow } from '#money/payments/updates/check-payments.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'> &
  Pick<PaymentDependencies, 'statuses' | 'gateways'>

const parse = (raw: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * An event says that there is news of a payment; what the news is, Stripe is asked. So it does not matter whether events repeat,
 * overtake each other, or come late. Throws 'callback-refused' for what no secret of ours signed now, or what is of the other mode;
 * 'payment-not-found' where there is no account with Stripe.
 */
export const takeStripeEvent = async (deps: Deps, raw: Uint8Array, signature: string): Promise<void> => {
  const { settings, meters, statuses } = deps
  if (!settings.stripe) throw new Problem('payment-not-found')
  const refuse = () => {
    meters.calledBack('refused')
    return new Problem('callback-refused')
  }
  // The signature first: what nobody signed is not read any further.
  const { webhookSecrets, key } = settings.stripe
  if (!isSignedEvent(Buffer.from(raw), signature, webhookSecrets, new Date())) throw refuse()
  const event = readEvent(parse(raw))
  if (!event || event.isLive !== isLiveKey(key)) throw refuse()
  if (event.type.startsWith('charge.dispute.')) {
    await askAgain(deps.db)
    return meters.calledBack('applied')
  }
  const payment = event.paymentId === undefined ? undefined : await findPayment(deps.db, event.paymentId)
  // Of another shop on the same account, or of something that the shop does not keep.
  if (payment?.gateway !== 'stripe') return meters.calledBack('nothing-new')
  await checkNow(deps, payment)
  statuses.forget(payment.id)
  meters.calledBack('applied')
}
