import { randomUUID } from 'node:crypto'
import { FORMER_SECRET_HOURS, MOST_WEBHOOKS, type WebhookEvent } from '@hedgerow/domain/webhook-events'
import { sql } from 'kysely'
import { addressFault } from '#care/webhooks/post-outside.ts'
import { formerSecretOwner, webhookSecretOwner } from '#care/webhooks/secret-owners.ts'
import { newWebhookSecret } from '#care/webhooks/sign.ts'
import { insertTest, lockEndpoints, switchOff, switchOn } from '#care/webhooks/webhooks.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { WebhookEndpointRow } from '#platform/database/tables/webhooks.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

export {
  deleteOldDeliveries,
  listEndpoints,
  type Resent,
  sendAgain,
} from '#care/webhooks/webhooks.queries.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'>
type Given = { url: string; events: readonly WebhookEvent[] }

/** Throws 'invalid' at the address. */
const readGiven = ({ settings }: With<'settings'>, { url, events }: Given) => {
  const fault = addressFault(url, { isAnywhere: !settings.isProduction })
  if (fault) throw invalidField('url', fault)
  const parsed = new URL(url)
  parsed.hash = ''
  return { url: parsed.href, events: [...new Set(events)] }
}

/** Throws 'webhook-not-found'. `hold` comes first in the transaction: nothing is made for a caller who was ended meanwhile. */
const withEndpoint = <T>(
  { db }: With<'db'>,
  id: string,
  hold: (trx: Trx) => Promise<void>,
  act: (trx: Trx, endpoint: WebhookEndpointRow) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await hold(trx)
    const endpoint = (await lockEndpoints(trx)).find((one) => one.id === id)
    if (!endpoint) throw new Problem('webhook-not-found')
    return act(trx, endpoint)
  })

type Hold = (trx: Trx) => Promise<void>

export type MadeSecret = { id: string; secret: string }

/** Returns the secret, which is shown once; undefined where there are too many. */
export const createEndpoint = (deps: Deps, hold: Hold, given: Given): Promise<MadeSecret | undefined> => {
  const read = readGiven(deps, given)
  const made = { id: randomUUID(), secret: newWebhookSecret() }
  return deps.db.transaction().execute(async (trx) => {
    await hold(trx)
    if ((await lockEndpoints(trx)).length >= MOST_WEBHOOKS) return undefined
    const secret_encrypted = deps.keyCipher.encryptText(made.secret, webhookSecretOwner(made.id))
    await trx
      .insertInto('webhook_endpoints')
      .values({ id: made.id, ...read, secret_encrypted })
      .execute()
    return made
  })
}

export const changeEndpoint = (deps: Deps, hold: Hold, id: string, given: Given): Promise<void> => {
  const { url, events } = readGiven(deps, given)
  return withEndpoint(deps, id, hold, async (trx, before) => {
    const learns = events.includes('connection.ended') && !before.events.includes('connection.ended')
    await trx
      .updateTable('webhook_endpoints')
      .set({ url, events, ...(learns ? { ends_told_at: sql<Date>`now()` } : {}) })
      .where('id', '=', id)
      .execute()
  })
}

export const renewSecret = (deps: Deps, hold: Hold, id: string): Promise<MadeSecret> =>
  withEndpoint(deps, id, hold, async (trx, before) => {
    const { keyCipher } = deps
    const secret = newWebhookSecret()
    const former = keyCipher.decryptText(before.secret_encrypted, webhookSecretOwner(id))
    await trx
      .updateTable('webhook_endpoints')
      .set({
        secret_encrypted: keyCipher.encryptText(secret, webhookSecretOwner(id)),
        former_secret_encrypted: keyCipher.encryptText(former, formerSecretOwner(id)),
        former_secret_until: sql<Date>`now() + make_interval(hours => ${FORMER_SECRET_HOURS})`,
      })
      .where('id', '=', id)
      .execute()
    return { id, secret }
  })

export const enableEndpoint = (deps: With<'db'>, hold: Hold, id: string): Promise<void> =>
  withEndpoint(deps, id, hold, (trx) => switchOn(trx, id))

export const disableEndpoint = (deps: With<'db'>, hold: Hold, id: string): Promise<void> =>
  withEndpoint(deps, id, hold, (trx) => switchOff(trx, id, 'operator'))

/** Its deliveries are deleted in slices. */
export const removeEndpoint = (deps: With<'db'>, hold: Hold, id: string): Promise<void> =>
  withEndpoint(deps, id, hold, async (trx) => {
    await trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
  })

/** Returns whether it is on. */
export const sendTest = (deps: With<'db'>, hold: Hold, id: string): Promise<boolean> =>
  withEndpoint(deps, id, hold, async (trx, { disabled_at }) => {
    if (disabled_at) return false
    await insertTest(trx, id)
    return true
  })
