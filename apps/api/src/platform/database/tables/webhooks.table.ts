import type { WebhookEvent } from '@hedgerow/domain/webhook-events'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** A program elsewhere that is told of what happens. */
export type WebhookEndpointsTable = {
  id: string
  url: string
  events: WebhookEvent[]
  secret_encrypted: Buffer
  /** The one before, which signs as well until then. */
  former_secret_encrypted: Buffer | null
  former_secret_until: Date | null
  created_at: ColumnType<Date, never, never>
  /** Since when it has taken nothing. Null: the last message was taken. */
  failing_since: Date | null
  disabled_at: Date | null
  /** 'gone': it answered 410. */
  disabled_because: 'operator' | 'failing' | 'gone' | null
  /** Up to when it was told of connections that ended. */
  ends_told_at: Generated<Date>
}

/** One message to one endpoint. Rows are added by triggers, with what happened. */
export type WebhookDeliveriesTable = {
  /** The message's own id, the same at each try. */
  id: Generated<string>
  endpoint_id: string
  event: WebhookEvent | 'test'
  /** What happened once has one name: it is told once. */
  occurrence: string
  data: ColumnType<Record<string, unknown>, string, never>
  happened_at: ColumnType<Date, Date | undefined, never>
  attempts: Generated<number>
  /** Failed tries since it was made, or sent again: they say how long the next pause is. */
  failures: Generated<number>
  /** Null: it was taken, or given up. */
  next_try_at: Generated<Date | null>
  tried_at: Date | null
  delivered_at: Date | null
  /** Of the last try: what was answered, or why nothing was. */
  status_code: number | null
  error: string | null
}

export type WebhooksTables = {
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
}

export type WebhookEndpointRow = Selectable<WebhookEndpointsTable>
export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>
