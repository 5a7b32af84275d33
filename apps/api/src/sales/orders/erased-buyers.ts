import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { JobName } from '#platform/queue/add-job.ts'

/** By law a refund is sent within so many days: later no mail about a purchase is due. */
const KEPT_DAYS = 14

const ABOUT_PURCHASES: readonly JobName[] = ['mail-receipt', 'mail-refund', 'mail-cancellation']

/** The address that the account had when the payment began: a change since may be an intruder's. */
const BOUGHT_WITH = sql`coalesce((
  select old_email from email_changes
  where customer_id = customers.id and changed_at > payments.created_at order by changed_at limit 1), customers.email)`

/** Beside a row of `payments`: a mail about it is queued, or will be once its refund has gone back. */
const IS_TO_BE_MAILED = sql<boolean>`(
  exists (select from refunds where payment_id = payments.id and status = 'Pending')
  or exists (
    select from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
    where identifier = any(${[...ABOUT_PURCHASES]}::text[]) and attempts < max_attempts and (
      payload ->> 'orderId' = payments.order_id::text or payload ->> 'paymentId' = payments.id
      or payload ->> 'refundId' in (select id::text from refunds where payment_id = payments.id))))`

/**
 * For an account that is about to be deleted: what was bought, and is still to be mailed about, keeps its address. To be
 * called with the customer locked.
 */
export const keepBuyer = async (trx: Trx, customerId: string): Promise<void> => {
  await sql`
    insert into erased_buyers (order_id, email, name)
    select payments.order_id, ${BOUGHT_WITH}, customers.name
    from payments join customers on customers.id = payments.customer_id
    where customers.id = ${customerId} and ${IS_TO_BE_MAILED}
    on conflict do nothing`.execute(trx)
}

export type BuyerToMail = { name: string; email: string; isErased: boolean }

/** Who bought, beside a row of `payments`: the account's holder, or where their mails go once it is deleted. */
export const BUYER_TO_MAIL = sql<BuyerToMail | null>`coalesce(
  (select json_build_object('name', name, 'email', email, 'isErased', false) from customers where id = payments.customer_id),
  (select json_build_object('name', name, 'email', email, 'isErased', true) from erased_buyers
    where order_id = payments.order_id))`

export const findBuyer = async (db: Db, paymentId: string): Promise<BuyerToMail | undefined> => {
  const row = await db
    .selectFrom('payments')
    .select(BUYER_TO_MAIL.as('buyer'))
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return row?.buyer ?? undefined
}

/** Once all is mailed, and in any case after the days in which a refund is sent. */
export const deleteOldBuyers = (db: Db) =>
  deleteDue(
    db,
    'erased_buyers',
    sql`(created_at < now() - make_interval(days => ${KEPT_DAYS}) or not exists (
      select from payments where payments.order_id = erased_buyers.order_id and ${IS_TO_BE_MAILED}))`,
  )
