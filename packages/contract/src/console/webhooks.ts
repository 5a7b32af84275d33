import { WEBHOOK_EVENTS } from '@hedgerow/domain/webhook-events'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choiceOf, lines, optional, shapeOf, text } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const WebhookView = z.object({
  id: z.string(),
  /** Its path may hold a secret of the receiver's: those who may not change it see the host. */
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(['on', 'failing', 'off', 'turned-off']),
  /** Messages that were neither taken nor given up. */
  waiting: z.int(),
  createdAt: Time,
  failingSince: z.nullable(Time),
  disabledAt: z.nullable(Time),
  /** Until when the secret before signs as well. */
  formerSecretUntil: z.nullable(Time),
})
export type WebhookView = z.infer<typeof WebhookView>

const webhookColumns = columnsOf<WebhookView>([
  { name: 'id', title: 'Webhook', kind: 'id' },
  { name: 'url', title: 'Address', kind: 'text' },
  { name: 'state', title: 'Status', kind: 'word' },
  { name: 'events', title: 'Events', kind: 'word' },
  { name: 'waiting', title: 'Waiting', kind: 'word' },
  { name: 'failingSince', title: 'Failing since', kind: 'time' },
  { name: 'disabledAt', title: 'Turned off', kind: 'time' },
  { name: 'formerSecretUntil', title: 'Old secret until', kind: 'time', isExtra: true },
  { name: 'createdAt', title: 'Created', kind: 'time', isExtra: true },
])

const sees = {
  access: 'operator',
  permission: 'webhooks.see',
  consequence: 'looks',
  record: 'reads',
} as const
const changes = { access: 'operator', permission: 'webhooks.change', consequence: 'access' } as const

export const listWebhooks = operatorEndpoint({
  ...consoleRoutes.listWebhooks,
  ...sees,
  command: 'webhook list',
  summary: 'The programs that the shop tells of what happens',
  columns: webhookColumns,
  schema: { response: { 200: z.array(WebhookView) } },
})

const webhookFields = {
  url: text(
    'Address',
    z
      .string()
      .check(z.trim(), z.maxLength(2_000), z.url('Please enter an address that begins with https://.')),
    { hint: 'https://, and a host that anyone on the internet can reach' },
  ),
  events: {
    ...lines('Events', { hint: `Of ${WEBHOOK_EVENTS.join(', ')}` }),
    schema: z
      .array(z.enum(WEBHOOK_EVENTS))
      .check(z.minLength(1, 'Choose at least one event.'), z.maxLength(20)),
  },
}

const WithSecret = z.object({ id: z.string(), secret: z.string() })
const ofWebhook = z.object({ webhookId: Uuid })
const done = { response: { 200: z.object({}) } } as const

export const createWebhook = operatorEndpoint({
  ...consoleRoutes.createWebhook,
  ...changes,
  record: { changes: 'webhook create' },
  summary: 'Tell a program of what happens. The secret that signs the messages is shown this once',
  done: 'Keep the secret where the receiver finds it. It is not shown again',
  fields: webhookFields,
  schema: { body: bodyOf(webhookFields), response: { 201: WithSecret } },
  problems: [409],
})

export const changeWebhook = operatorEndpoint({
  ...consoleRoutes.changeWebhook,
  ...changes,
  record: { changes: 'webhook change', subject: 'webhookId' },
  summary: 'Change its address and events. What already waits goes to the new address',
  done: 'Saved',
  fields: webhookFields,
  schema: { params: ofWebhook, body: bodyOf(webhookFields), ...done },
  problems: [404],
})

export const renewWebhookSecret = operatorEndpoint({
  ...consoleRoutes.renewWebhookSecret,
  ...changes,
  record: { changes: 'webhook new-secret', subject: 'webhookId' },
  summary: 'Make a new secret, shown this once. For 24 hours the old one signs as well',
  done: 'Keep the secret where the receiver finds it. It is not shown again',
  schema: { params: ofWebhook, response: { 200: WithSecret } },
  problems: [404],
})

export const enableWebhook = operatorEndpoint({
  ...consoleRoutes.enableWebhook,
  ...changes,
  record: { changes: 'webhook enable', subject: 'webhookId' },
  summary: 'Turn it on. What waited is sent now; what happened while it was off is not',
  done: 'Turned on',
  schema: { params: ofWebhook, ...done },
  problems: [404],
})

export const disableWebhook = operatorEndpoint({
  ...consoleRoutes.disableWebhook,
  ...changes,
  record: { changes: 'webhook disable', subject: 'webhookId' },
  summary: 'Turn it off. Nothing is sent, and what happens meanwhile is not recorded for it',
  done: 'Turned off',
  schema: { params: ofWebhook, ...done },
  problems: [404],
})

export const removeWebhook = operatorEndpoint({
  ...consoleRoutes.removeWebhook,
  ...changes,
  record: { changes: 'webhook remove', subject: 'webhookId' },
  summary: 'Remove it with its secret and its deliveries',
  asks: 'Remove this webhook? What waits for it is never sent.',
  done: 'Removed',
  schema: { params: ofWebhook, ...done },
  problems: [404],
})

export const testWebhook = operatorEndpoint({
  ...consoleRoutes.testWebhook,
  access: 'operator',
  permission: 'webhooks.change',
  consequence: 'stays',
  record: { changes: 'webhook test', subject: 'webhookId' },
  summary: 'Send it a message of the type test, signed as all others',
  done: 'It is sent within seconds. The result is in the list of deliveries',
  schema: { params: ofWebhook, ...done },
  problems: [404, 409],
})

export const WebhookDeliveryView = z.object({
  id: z.string(),
  webhookId: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, 'test']),
  status: z.enum(['waiting', 'delivered', 'failed']),
  happenedAt: Time,
  attempts: z.int(),
  triedAt: z.nullable(Time),
  /** Of the last try. */
  answer: z.nullable(z.int()),
  error: z.nullable(z.string()),
  nextTryAt: z.nullable(Time),
  /** What is told: ids, sums and statuses. */
  data: z.string(),
})
export type WebhookDeliveryView = z.infer<typeof WebhookDeliveryView>

const deliveryColumns = columnsOf<WebhookDeliveryView>([
  { name: 'event', title: 'Event', kind: 'word' },
  { name: 'status', title: 'Status', kind: 'word' },
  { name: 'happenedAt', title: 'Happened', kind: 'time', sort: 'happenedAt' },
  { name: 'answer', title: 'Answer', kind: 'word' },
  { name: 'error', title: 'Error', kind: 'text' },
  { name: 'attempts', title: 'Attempts', kind: 'word' },
  { name: 'triedAt', title: 'Last attempt', kind: 'time' },
  { name: 'nextTryAt', title: 'Next attempt', kind: 'time' },
  { name: 'data', title: 'Data', kind: 'text', isExtra: true },
  { name: 'id', title: 'Message', kind: 'id', isExtra: true },
  { name: 'webhookId', title: 'Webhook', kind: 'id' },
])

const deliveryFilters = {
  webhookId: optional(text('Webhook', Uuid)),
  status: optional(choiceOf('Status', ['waiting', 'delivered', 'failed'])),
  event: optional(choiceOf('Event', [...WEBHOOK_EVENTS, 'test'])),
}
const SORTS = ['-happenedAt', 'happenedAt'] as const
const seesDeliveries = { ...sees, command: 'webhook deliveries', columns: deliveryColumns } as const

export const listWebhookDeliveries = operatorEndpoint({
  ...consoleRoutes.listWebhookDeliveries,
  ...seesDeliveries,
  summary: 'What was sent in the last 30 days, or waits, the newest first',
  fields: deliveryFilters,
  schema: {
    querystring: listQuery(SORTS, shapeOf(deliveryFilters)),
    response: { 200: pageOf(WebhookDeliveryView) },
  },
})

export const exportWebhookDeliveries = operatorEndpoint({
  ...consoleRoutes.exportWebhookDeliveries,
  ...seesDeliveries,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(deliveryFilters)), response: {} },
})

export const resendWebhookDelivery = operatorEndpoint({
  ...consoleRoutes.resendWebhookDelivery,
  access: 'operator',
  permission: 'webhooks.change',
  consequence: 'stays',
  record: { changes: 'webhook resend', subject: 'deliveryId' },
  summary: 'Send a message again under the same id, so that a receiver that has it does nothing twice',
  done: 'It is sent within seconds',
  schema: { params: z.object({ deliveryId: Uuid }), ...done },
  problems: [404, 409],
})
