import { CUSTOMER_DAYS, SUM_HOURS } from '@hedgerow/domain/operator-sums'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'

/** Those who give money back take turns, so that of two at once the second is counted after the first. The last lock that is taken. */
export const lockSums = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('operator sums'))`.execute(trx)
}

/** What two have agreed on, and what the gateway refused, does not count. */
const COUNTS = sql<boolean>`operator_sums.confirmed_by is null
  and not exists (select from refunds where refunds.id = operator_sums.refund_id and refunds.status = 'Decline')`

/** What an operator gave within SUM_HOURS, and operators gave to a payment's customer within CUSTOMER_DAYS, or of the payment ever. */
export const readGivenSums = async (
  trx: Trx,
  operatorId: string,
  paymentId: string | undefined,
): Promise<{ operatorMinor: number; customerMinor: number }> => {
  const { rows } = await sql<{ by_operator: string; of_customer: string }>`
    select
      (select coalesce(sum(amount_minor), 0) from operator_sums
        where operator_id = ${operatorId} and at > now() - make_interval(hours => ${sql.lit(SUM_HOURS)}) and ${COUNTS}
      ) as by_operator,
      (select coalesce(sum(refunds.amount_minor), 0) from payments
        join payments as others on others.id = payments.id or others.customer_id = payments.customer_id
        join refunds on refunds.payment_id = others.id
        left join operator_sums on operator_sums.refund_id = refunds.id
        where payments.id = ${paymentId ?? null} and refunds.status <> 'Decline' and operator_sums.confirmed_by is null
          and (refunds.reason = 'operator' or operator_sums.id is not null)
          and (others.id = payments.id or refunds.created_at > now() - make_interval(days => ${sql.lit(CUSTOMER_DAYS)}))
      ) as of_customer`.execute(trx)
  return { operatorMinor: Number(rows[0]?.by_operator), customerMinor: Number(rows[0]?.of_customer) }
}

type NewSum = {
  id: string
  operator_id: string
  subject: string
  amount_minor: number
  refund_id: string | null
  confirmed_by: string | null
}

export const insertSum = async (trx: Trx, row: NewSum): Promise<void> => {
  await trx.insertInto('operator_sums').values(row).execute()
}

export const deleteSum = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('operator_sums').where('id', '=', id).execute()
}

/** As long as the record of what operators did. */
export const deleteOldSums = (db: Db) => deleteDue(db, 'operator_sums', sql`at < now() - interval '2 years'`)
