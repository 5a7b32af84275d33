import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // One row for each thing that attempts are counted by. The check is what stops an attempt: the row is locked when it is
  // looked at, so that of many at once no more pass than may. Room in each page, as a row is written at every attempt.
  await sql`
    create table velocity_counts (
      key bytea primary key,
      kind text not null check (kind in ('order', 'account', 'issuer', 'network', 'pass')),
      payment_ids text[] not null,
      most integer not null check (most > 0),
      minutes integer not null check (minutes > 0),
      tried_at timestamptz not null,
      notified_at timestamptz,
      may_exceed boolean not null default false,
      constraint velocity_within_limit check (may_exceed or cardinality(payment_ids) <= most)
    ) with (fillfactor = 50)`.execute(db)

  // Whoever leaves by a node shares its address with all who do.
  await sql`alter table nodes add column agent_networks text[] not null default '{}'`.execute(db)

  await sql`
    alter table payments
      add column card_hash bytea,
      add column network_hash bytea,
      add column erased_account uuid,
      add column uncredited_because text check (uncredited_because in ('own-card', 'small-spend'))`.execute(
    db,
  )
  await sql`
    create index payments_with_network on payments (created_at) where network_hash is not null`.execute(db)
  await sql`
    create index payments_of_erased_accounts on payments (id) where erased_account is not null`.execute(db)
  // What a partner is not credited for has used their promocode all the same.
  await sql`drop index payments_by_promocode`.execute(db)
  await sql`
    create index payments_by_promocode on payments (promocode)
    where promocode is not null and (not is_credited or uncredited_because is not null)
      and not refund_due and status not in ('Decline', 'Error')`.execute(db)

  await sql`
    alter table earnings
      add column is_own_card boolean not null default false,
      add constraint own_cards_earn_nothing check (not is_own_card or (is_refunded and reversed_minor = amount_minor))`.execute(
    db,
  )
}
