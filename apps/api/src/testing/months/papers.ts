import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { hurry } from '#testing/jobs.ts'
import type { TestShop } from '#testing/test-shop.ts'

const INVOICING = 'issue-invoices'
/** It carries the credit note, which is issued for it, with the invoice. */
const REFUND_MAIL = 'mail-refund'

const holdRefundMails = async ({ db }: Pick<TestShop, 'db'>): Promise<void> => {
  await sql`create or replace function hold_refund_mails() returns trigger language plpgsql as $$ begin
    if new.task_id = (select id from graphile_worker._private_tasks where identifier = ${sql.lit(REFUND_MAIL)}) then
      new.run_at := now() + interval '1 hour';
    end if;
    return new;
  end $$`.execute(db)
  await sql`create or replace trigger hold_refund_mails before insert on graphile_worker._private_jobs
    for each row execute function hold_refund_mails()`.execute(db)
}

/** Nothing is numbered while its date is not yet the one that it is to have. */
const holdInvoicing = (shop: Pick<TestShop, 'db'>): Promise<boolean> =>
  until(async () => {
    await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now() + interval '1 hour')
      from graphile_worker.jobs where task_identifier = ${INVOICING} and locked_at is null`.execute(shop.db)
    const { rows } = await sql<{ held: boolean }>`
      select coalesce(bool_and(locked_at is null and run_at > now() + interval '30 minutes'), false) as held
      from graphile_worker.jobs where task_identifier = ${INVOICING}`.execute(shop.db)
    return rows[0]?.held === true
  })

/** Every sale has its invoice, and every refund what it means to the books. */
export const issuePapers = async (shop: TestShop): Promise<void> => {
  await until(async () => {
    await hurry(shop, INVOICING)
    const { rows } = await sql`
      select from payments where status = 'Success' and not refund_due and not is_invoiced
      union all select from refunds where status = 'Success' and not is_noted`.execute(shop.db)
    return rows.length === 0
  })
  await holdInvoicing(shop)
  await hurry(shop, REFUND_MAIL)
}

/** From now on only `issuePapers` issues any. */
export const holdPapers = async (shop: Pick<TestShop, 'db'>): Promise<void> => {
  await holdRefundMails(shop)
  await holdInvoicing(shop)
}
