import { cancellableUntil, SETTLED_AFTER_DAYS } from '@hedgerow/domain/cancellations'
import { sql } from 'kysely'
import { PAYMENT_OF_BOUGHT } from '#network/connections/by-key.ts'

/** Beside a row of `payments`: nothing but its time can stand in the way of cancelling it. That is looked at by `openUntil`. */
export const IS_CANCELLABLE = sql<boolean>`(payments.status = 'Success' and not payments.refund_due
  and payments.cancelled_at is null and payments.refunded_minor < payments.charged_minor
  and payments.disputed_minor = 0
  and payments.ended_at > now() - make_interval(days => ${sql.lit(SETTLED_AFTER_DAYS)}))`

/** Until when a payment can be cancelled; undefined where that has passed. */
export const openUntil = (paidAt: Date, now: Date): Date | undefined => {
  const until = cancellableUntil(paidAt)
  return now <= until ? until : undefined
}

/** Beside a row of `connections`: the payments that have bought days of it and may be cancelled, the latest first. */
export const CANCELLABLE = sql<{ paymentId: string; paidAt: string }[]>`(
  select coalesce(json_agg(json_build_object('paymentId', payments.id, 'paidAt', payments.ended_at)
    order by payments.ended_at desc, payments.id), '[]')
  from (
    select connections.payment_id union select payment_id from renewals where connection_id = connections.id
  ) as bought ${PAYMENT_OF_BOUGHT}
  where ${IS_CANCELLABLE}
)`.as('cancellable')
