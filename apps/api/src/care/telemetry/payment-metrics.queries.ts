import { AWAITING_CONFIRMATION } from '@hedgerow/domain/payment-status'
import { sql } from 'kysely'
import type { Waiting } from '#care/telemetry/attention-items.ts'
import { createTotals } from '#care/telemetry/final-totals.ts'
import type { Db } from '#platform/database/client.ts'
import { IS_SALE } from '#sales/invoices/is-sale.ts'

/** Payments that ever succeeded, by the price's currency and the method. */
export const salesTotals = () =>
  createTotals(async (db, from, horizon) => {
    const { rows } = await sql<never>`
      select json_build_object('currency', currency, 'method', method) as labels, is_final, horizon::text,
        count(*)::float8 as count, sum(amount_minor)::float8 as minor
      from (
        select currency, method, amount_minor, ended_at <= ${horizon} as is_final, ${horizon} as horizon
        from payments where ${IS_SALE} and ended_at > ${from}::timestamptz
      ) as ended
      group by currency, method, is_final, horizon`.execute(db)
    return rows
  })

/** Refunds of sales that ever succeeded, in the currency that was charged. */
export const refundTotals = () =>
  createTotals(async (db, from, horizon) => {
    const { rows } = await sql<never>`
      select json_build_object('currency', charged_currency, 'method', method) as labels, is_final, horizon::text,
        count(*)::float8 as count, sum(amount_minor)::float8 as minor
      from (
        select charged_currency, method, refunds.amount_minor, refunds.ended_at <= ${horizon} as is_final,
          ${horizon} as horizon
        from refunds join payments on payments.id = payment_id
        where refunds.status = 'Success' and refunds.ended_at > ${from}::timestamptz
          and ${IS_SALE}
      ) as ended
      group by charged_currency, method, is_final, horizon`.execute(db)
    return rows
  })

/** What is counted by itself, whatever its status: what was left for another attempt. */
export const LEFT = 'left'

/**
 * Payments that have not ended, with the age of the oldest of each status; what a bank has promised, and what was left for
 * another attempt, by themselves.
 */
export const listLivePayments = async (db: Db) => {
  const { rows } = await sql<Waiting & { status: string }>`
    select case when gate_status = ${AWAITING_CONFIRMATION} then gate_status else status end as status,
      count(*)::float8 as count, extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from payments where ended_at is null and abandoned_at is null group by 1
    union all
    select ${LEFT}, count(*)::float8, extract(epoch from now() - min(created_at))::float8
    from payments where ended_at is null and abandoned_at is not null having count(*) > 0`.execute(db)
  return rows
}

export const listRateAges = async (db: Db) => {
  const { rows } = await sql<{ currency: string; seconds: number }>`
    select currency, extract(epoch from now() - max(set_at))::float8 as seconds from rates group by currency`.execute(
    db,
  )
  return rows
}
