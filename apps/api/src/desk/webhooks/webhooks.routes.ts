import * as webhooks from '@hedgerow/contract/console/webhooks'
import { isoOrNull } from '@hedgerow/domain/dates'
import { MOST_WEBHOOKS } from '@hedgerow/domain/webhook-events'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  removeEndpoint,
  renewSecret,
  sendAgain,
  sendTest,
} from '#care/webhooks/webhooks.service.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { holdCaller, type OperatorCaller } from '#people/operators/guard-operators.ts'
import type { Trx } from '#platform/database/client.ts'
import type { WebhookDeliveryRow } from '#platform/database/tables/webhooks.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Facts = Awaited<ReturnType<typeof listEndpoints>>[number]

const stateOf = ({ disabled_because, failing_since }: Facts) => {
  if (disabled_because === 'operator') return 'off'
  if (disabled_because) return 'turned-off'
  return failing_since ? 'failing' : 'on'
}

const webhookView = (endpoint: Facts, { permissions }: OperatorCaller): webhooks.WebhookView => ({
  id: endpoint.id,
  url: permissions.has('webhooks.change') ? endpoint.url : `${new URL(endpoint.url).origin}/…`,
  events: endpoint.events,
  state: stateOf(endpoint),
  waiting: endpoint.waiting,
  createdAt: endpoint.created_at.toISOString(),
  failingSince: isoOrNull(endpoint.failing_since),
  disabledAt: isoOrNull(endpoint.disabled_at),
  formerSecretUntil:
    endpoint.former_secret_until && endpoint.former_secret_until > new Date()
      ? endpoint.former_secret_until.toISOString()
      : null,
})

const statusOf = ({ delivered_at, next_try_at }: WebhookDeliveryRow) =>
  delivered_at ? 'delivered' : next_try_at ? 'waiting' : 'failed'

const deliveryView = (row: WebhookDeliveryRow): webhooks.WebhookDeliveryView => ({
  id: row.id,
  webhookId: row.endpoint_id,
  event: row.event,
  status: statusOf(row),
  happenedAt: row.happened_at.toISOString(),
  attempts: row.attempts,
  triedAt: isoOrNull(row.tried_at),
  answer: row.status_code,
  error: row.error,
  nextTryAt: isoOrNull(row.next_try_at),
  data: JSON.stringify(row.data),
})

const STATUSES = {
  waiting: sql<boolean>`next_try_at is not null`,
  delivered: sql<boolean>`delivered_at is not null`,
  failed: sql<boolean>`next_try_at is null and delivered_at is null`,
} as const

type Filter = z.output<typeof webhooks.listWebhookDeliveries.schema.querystring>

const deliveries: ListDefinition<Filter, WebhookDeliveryRow, webhooks.WebhookDeliveryView> = {
  query: (db, { webhookId, status, event }) =>
    db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .$if(webhookId !== undefined, (query) => query.where('endpoint_id', '=', webhookId as string))
      .$if(event !== undefined, (query) => query.where('event', '=', event as 'test'))
      .$if(status !== undefined, (query) => query.where(STATUSES[status as 'waiting'])),
  sorts: { happenedAt: { by: sql`happened_at`, type: 'timestamptz' } },
  id: { by: sql`webhook_deliveries.id`, type: 'uuid' },
  show: deliveryView,
  columns: fileColumns(webhooks.listWebhookDeliveries.columns),
}

type Deps = ConsoleListDependencies & With<'keyCipher' | 'settings'>

/** Programs elsewhere that are told of what happens, and what they were told. */
export const webhooksRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const holding = (operator: OperatorCaller) => (trx: Trx) => holdCaller(trx, operator)

  implementForOperators(app, deps, webhooks.listWebhooks, async ({ operator }) =>
    (await listEndpoints(deps.db)).map((endpoint) => webhookView(endpoint, operator)),
  )

  implementForOperators(app, deps, webhooks.createWebhook, async ({ operator, body, recordSubject }) => {
    const made = await createEndpoint(deps, holding(operator), body)
    if (!made) throw refused(`there are ${MOST_WEBHOOKS} webhooks, which is the most there can be`)
    recordSubject(made.id)
    return made
  })

  implementForOperators(app, deps, webhooks.changeWebhook, async ({ operator, params, body }) => {
    await changeEndpoint(deps, holding(operator), params.webhookId, body)
    return {}
  })

  implementForOperators(app, deps, webhooks.renewWebhookSecret, ({ operator, params }) =>
    renewSecret(deps, holding(operator), params.webhookId),
  )

  implementForOperators(app, deps, webhooks.enableWebhook, async ({ operator, params }) => {
    await enableEndpoint(deps, holding(operator), params.webhookId)
    return {}
  })

  implementForOperators(app, deps, webhooks.disableWebhook, async ({ operator, params }) => {
    await disableEndpoint(deps, holding(operator), params.webhookId)
    return {}
  })

  implementForOperators(app, deps, webhooks.removeWebhook, async ({ operator, params }) => {
    await removeEndpoint(deps, holding(operator), params.webhookId)
    return {}
  })

  implementForOperators(app, deps, webhooks.testWebhook, async ({ operator, params }) => {
    if (!(await sendTest(deps, holding(operator), params.webhookId)))
      throw refused('it is turned off. Turn it on first')
    return {}
  })

  serveList(
    app,
    deps,
    {
      list: webhooks.listWebhookDeliveries,
      file: webhooks.exportWebhookDeliveries,
      fileName: 'webhook-deliveries',
    },
    deliveries,
  )

  implementForOperators(app, deps, webhooks.resendWebhookDelivery, async ({ params }) => {
    const outcome = await sendAgain(deps.db, params.deliveryId)
    if (outcome === 'none') throw new Problem('delivery-not-found')
    if (outcome === 'off') throw refused('its webhook is turned off. Turn it on first')
    return {}
  })
}
