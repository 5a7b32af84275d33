import { machineRoutes } from '@hedgerow/contract/machine-routes'
import * as z from 'zod/mini'
import type { Adapter } from '#money/gateway/adapter.ts'
import type { Answer } from '#money/gateway/answer.ts'
import { createBtcpayCall } from '#money/gateway/btcpay/btcpay-call.ts'
import { BTCPAY_EVENTS } from '#money/gateway/btcpay/read-hint.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'

const Info = z.object({ version: z.string().check(z.maxLength(100)), fullySynched: z.boolean() })
const Methods = z.array(z.object({ paymentMethodId: z.string(), enabled: z.boolean() }))
const Webhooks = z.array(
  z.object({
    url: z.string(),
    enabled: z.boolean(),
    automaticRedelivery: z.boolean(),
    authorizedEvents: z.object({ everything: z.boolean(), specificEvents: z.array(z.string()) }),
  }),
)

/** Undefined where the answer can be looked at. */
const refusal = (answer: Answer, what: string): Finding | undefined => {
  if (answer.kind === 'answered') return undefined
  return answer.kind === 'refused' && answer.http !== 401
    ? warning(`the key may not see ${what}: ${answer.code}`, 'Give it the permission, and see BTCPAY_STORE.')
    : problem(`it did not say ${what}`, 'Run this again.')
}

const serverFinding = (host: string, answer: Answer): Finding => {
  if (answer.kind === 'unknown')
    return problem(
      `${host} answers no call of its API: ${answer.reason}`,
      'See BTCPAY_URL, and whether the server runs.',
    )
  if (answer.kind === 'refused')
    return problem(`${host} refuses the key: ${answer.code}`, 'BTCPAY_KEY has to be one of the server.')
  const { data } = z.safeParse(Info, answer.body)
  if (!data) return problem(`${host} does not answer as BTCPay Server 2 does`, 'See BTCPAY_URL.')
  return data.fullySynched
    ? ok(`${host} answers, takes the key, and is synchronised (${data.version})`)
    : problem(`${host} is not synchronised`, 'Until it is, payments are not seen. Wait, or look at its node.')
}

const walletFinding = (answer: Answer): Finding => {
  const methods = answer.kind === 'answered' ? z.safeParse(Methods, answer.body).data : undefined
  const enabled = (methods ?? []).filter((one) => one.enabled).map(({ paymentMethodId }) => paymentMethodId)
  return (
    refusal(answer, 'which wallets the store has') ??
    (enabled.length > 0
      ? ok(`its store takes ${enabled.join(', ').slice(0, 200)}`)
      : problem('its store has no wallet that is enabled', 'Set one up in BTCPay, in the store’s wallets.'))
  )
}

const webhookFinding = (answer: Answer, publicUrl: string): Finding => {
  const address = `${publicUrl}${machineRoutes.btcpayEvent.url}`
  const act = `In the store’s settings, make a webhook for ${address} (docs/gateways.md, BTCPay).`
  const refused = refusal(answer, 'the store’s webhooks')
  if (refused) return refused
  const webhooks = answer.kind === 'answered' ? z.safeParse(Webhooks, answer.body).data : undefined
  const found = webhooks?.find(({ url }) => url === address)
  if (!found) return warning('no webhook of the store leads to this shop', act)
  if (!found.enabled) return warning('the webhook is disabled', act)
  if (!found.automaticRedelivery) return warning('the webhook does not repeat what was not taken', act)
  const { everything, specificEvents } = found.authorizedEvents
  const missing = BTCPAY_EVENTS.filter((type) => !everything && !specificEvents.includes(type))
  return missing.length > 0
    ? warning(`the webhook is not told of ${missing.join(', ')}`, act)
    : ok('its webhook leads here')
}

export const btcpayCheck: Adapter['check'] = {
  name: 'btcpay',
  look: async ({ btcpay, publicUrl }) => {
    if (!btcpay) return []
    const call = createBtcpayCall(btcpay, () => undefined)
    const server = serverFinding(new URL(btcpay.url).host, await call('GET', '~/server/info'))
    if (server.state === 'problem') return server
    return [
      server,
      walletFinding(await call('GET', 'payment-methods')),
      webhookFinding(await call('GET', 'webhooks'), publicUrl),
    ]
  },
}
