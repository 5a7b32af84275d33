import { webhookPauseS } from '@hedgerow/domain/webhook-events'
import { type Outcome, postOutside } from '#care/webhooks/post-outside.ts'
import { formerSecretOwner, webhookSecretOwner } from '#care/webhooks/secret-owners.ts'
import { signedHeaders } from '#care/webhooks/sign.ts'
import {
  claimDeliveries,
  listDueEndpoints,
  markDelivered,
  markFailed,
  switchOff,
  tellEnds,
} from '#care/webhooks/webhooks.queries.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '#platform/database/tables/webhooks.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'>

/** So many at once to one endpoint, and for so long in one run: the next goes on. */
const AT_ONCE = 5
const RUN_MS = 20_000
/** Of what a receiver is told it says the next try is due, so that all do not come back in one second. */
const SPREAD = 0.1

const secretsOf = ({ keyCipher }: Deps, endpoint: WebhookEndpointRow): string[] => {
  const { id, secret_encrypted, former_secret_encrypted, former_secret_until } = endpoint
  const secrets = [keyCipher.decryptText(secret_encrypted, webhookSecretOwner(id))]
  if (former_secret_encrypted && former_secret_until && former_secret_until > new Date())
    secrets.push(keyCipher.decryptText(former_secret_encrypted, formerSecretOwner(id)))
  return secrets
}

/** The same bytes at each try. */
const bodyOf = ({ event, happened_at, data }: WebhookDeliveryRow): string =>
  JSON.stringify({ type: event, timestamp: happened_at.toISOString(), data })

const GONE = 410

const pauseAfter = ({ failures }: WebhookDeliveryRow): number | undefined => {
  const pause = webhookPauseS(failures + 1)
  return pause && pause * (1 + SPREAD * Math.random())
}

/** Returns whether it was taken. */
const sendOne = async (
  deps: Deps,
  endpoint: WebhookEndpointRow,
  secrets: readonly string[],
  delivery: WebhookDeliveryRow,
): Promise<boolean> => {
  const body = bodyOf(delivery)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'hedgerow-webhooks',
    ...signedHeaders(delivery.id, new Date(), body, secrets),
  }
  const outcome: Outcome = await postOutside(endpoint.url, headers, body, {
    isAnywhere: !deps.settings.isProduction,
  })
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) {
    await markDelivered(deps.db, delivery, outcome.status)
    return true
  }
  const isGone = 'status' in outcome && outcome.status === GONE
  await markFailed(deps.db, delivery, {
    status: 'status' in outcome ? outcome.status : null,
    error: 'error' in outcome ? outcome.error : null,
    pauseS: isGone ? undefined : pauseAfter(delivery),
  })
  if (isGone) await switchOff(deps.db, endpoint.id, 'gone')
  return false
}

/** One that takes nothing holds up no other, and is left until the next run. */
const sendTo = async (deps: Deps, endpoint: WebhookEndpointRow, end: number): Promise<void> => {
  const secrets = secretsOf(deps, endpoint)
  while (performance.now() < end) {
    const claimed = await claimDeliveries(deps.db, endpoint.id, AT_ONCE)
    const taken = await Promise.all(claimed.map((delivery) => sendOne(deps, endpoint, secrets, delivery)))
    if (claimed.length < AT_ONCE || !taken.includes(true)) return
  }
}

/** Sends what is due, each message outside of any transaction. One that a crash interrupts is sent again, under its id. */
export const sendWebhooks = async (deps: Deps): Promise<void> => {
  const end = performance.now() + RUN_MS
  while ((await tellEnds(deps.db)) && performance.now() < end);
  const endpoints = await listDueEndpoints(deps.db)
  const sent = await Promise.allSettled(endpoints.map((endpoint) => sendTo(deps, endpoint, end)))
  const failed = sent.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
