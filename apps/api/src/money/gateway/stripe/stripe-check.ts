import { machineRoutes } from '@hedgerow/contract/machine-routes'
import * as z from 'zod/mini'
import type { Adapter } from '#money/gateway/adapter.ts'
import { STRIPE_EVENTS } from '#money/gateway/stripe/read-event.ts'
import { createStripeCall, isLiveKey, type StripeCall } from '#money/gateway/stripe/stripe-call.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'

const Endpoints = z.object({
  data: z.array(
    z.object({
      url: z.string(),
      status: z.string(),
      enabled_events: z.array(z.string()),
      livemode: z.boolean(),
    }),
  ),
})

/** Whether events reach the shop. Without them everything is later, and disputes are seen once a day. */
const webhookFinding = (body: unknown, publicUrl: string): Finding => {
  const address = `${publicUrl}${machineRoutes.stripeEvent.url}`
  const act = `In Stripe’s dashboard, make a webhook for ${address} (docs/gateways.md, Stripe).`
  const found = z.safeParse(Endpoints, body).data?.data.find(({ url }) => url === address)
  if (!found) return warning('no webhook of the account leads to this shop', act)
  if (found.status !== 'enabled') return warning('the webhook is disabled', act)
  const missing = STRIPE_EVENTS.filter(
    (type) => !found.enabled_events.includes('*') && !found.enabled_events.includes(type),
  )
  return missing.length > 0
    ? warning(`the webhook is not told of ${missing.join(', ')}`, act)
    : ok('its webhook leads here')
}

/** Settlement reads balance transactions with what they were booked for: a restricted key may be kept from any of it. */
const booksFinding = async (call: StripeCall): Promise<Finding> => {
  const answers = [
    await call.get('balance_transactions', { limit: 100, expand: ['data.source'] }),
    await call.get('payouts', { limit: 1 }),
  ]
  return answers.some((answer) => answer.kind === 'refused' && answer.http === 403)
    ? warning(
        'this key may not read the balance or its payouts: what Stripe books is not in the settlement',
        'In Stripe’s dashboard, let the key read balance, payouts, charges, refunds and disputes.',
      )
    : ok('the key may read balance and payouts')
}

export const stripeCheck: Adapter['check'] = {
  name: 'stripe',
  look: async ({ stripe, isProduction, publicUrl }) => {
    if (!stripe) return []
    if (isLiveKey(stripe.key) !== isProduction)
      return problem(
        isProduction
          ? 'STRIPE_KEY is one of its test mode: nobody pays'
          : 'STRIPE_KEY is one of its live mode',
        'Set the key of the other mode.',
      )
    const { host } = new URL(stripe.url)
    const call = createStripeCall(stripe, () => undefined)
    const answer = await call.get('webhook_endpoints', { limit: 100 })
    if (answer.kind === 'unknown')
      return problem(
        `${host} answers no call of its API: ${answer.reason}`,
        'See whether this machine may call out to it.',
      )
    if (answer.kind === 'refused' && answer.http !== 403)
      return problem(`${host} refuses the key: ${answer.code}`, 'STRIPE_KEY has to be one of the account.')
    return [
      ok(`${host} answers, and takes the key`),
      answer.kind === 'refused'
        ? warning(`${host} does not let this key read webhooks`, 'Allow it, and this can be looked at.')
        : webhookFinding(answer.body, publicUrl),
      await booksFinding(call),
    ]
  },
}
