import { askAgain } from '#money/disputes/hints.queries.ts'
import { isSignedEvent, readEvent } from '#money/gateway/stripe/read-event.ts'
import { isLiveKey } from '#money/gateway/stripe/stripe-call.ts'
import { type NewsDependencies, takeNews } from '#money/payments/updates/take-news.ts'
import { Problem } from '#platform/http/problems.ts'

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
export const takeStripeEvent = async (
  deps: NewsDependencies,
  raw: Uint8Array,
  signature: string,
): Promise<void> => {
  const { settings, meters } = deps
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
  await takeNews(deps, 'stripe', event)
}
