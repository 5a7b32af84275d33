import { type Kysely, sql } from 'kysely'

/**
 * A payment keeps the gateway's own word for how it stands; and what came, where that was not what was asked for. Then more
 * may go back than was charged. What a process of the version before writes fits all of it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table payments
      add column gate_status text check (length(gate_status) <= 100),
      add column received_minor integer check (received_minor > 0),
      add column received_currency text check (received_currency ~ '^[A-Z]{3}$'),
      add constraint received_with_currency check ((received_minor is null) = (received_currency is null)),
      add constraint received_buys_nothing check
        (received_minor is null or (status = 'Error' and refund_due and delivered_at is null)),
      drop constraint refunded_within_charged,
      add constraint refunded_within_paid check
        (refunded_minor between 0 and coalesce(received_minor, charged_minor))`.execute(db)
  await sql`
    create index payments_of_other_sums on payments (ended_at)
    where received_minor is not null or gate_status = 'partially paid'`.execute(db)
  await sql`
    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check
        (reason in ('operator', 'paid-twice', 'account-erased', 'other-sum', 'at-the-gateway'))`.execute(db)
}
