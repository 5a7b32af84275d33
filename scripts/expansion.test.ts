import { describe, expect, test } from 'vitest'
import { faultsOf } from './expansion.ts'

const faults = (statement: string, more: { isOutsideTransaction?: boolean; hasFloor?: boolean } = {}) =>
  faultsOf({ statements: [statement], isOutsideTransaction: false, hasFloor: false, ...more })

describe('a migration beside shops of the version before', () => {
  test.each([
    ['create table notes (id uuid primary key, of uuid not null references customers)'],
    ['create table notes (id uuid); create unique index notes_by_id on notes (id)'],
    ['create table notes (id uuid); alter table notes add primary key (id)'],
    ['alter table orders add column note text'],
    ['alter table orders add column note text, add column is_odd boolean not null default false'],
    ['alter table orders add column seen_at timestamptz not null default now()'],
    ["alter table orders add column word text not null default 'drop table; not null'"],
    ['alter table orders add column node_id uuid references nodes'],
    ['alter table orders add constraint not_odd check (days < 7000) not valid'],
    ['alter table orders drop constraint odd, add constraint odd check (days > 0 or days = -1) not valid'],
    ['alter table orders validate constraint not_odd'],
    ['create function f() returns trigger language plpgsql as $$ begin drop table x; end $$'],
    ['create trigger orders_f after insert on orders for each row execute function f()'],
    ['-- drop table orders\nselect 1'],
    ["insert into plans (name) values ('x')"],
  ])('may: %s', (statement) => {
    expect(faults(statement)).toEqual([])
  })

  test.each([
    ['drop table orders', 'takes away'],
    ['ALTER TABLE "orders" DROP COLUMN "days"', 'takes away'],
    ['alter table orders add column note text, drop column days', 'takes away'],
    ['alter table orders drop constraint odd', 'takes away'],
    [
      'alter table orders drop constraint odd, add constraint odd check (days > 0)',
      'is checked in every row',
    ],
    ['alter table orders alter column days set not null', 'takes away'],
    ['alter table orders rename column days to nights', 'none of the changes'],
    ['alter table orders rename to purchases', 'none of the changes'],
    ['alter table orders alter column days type bigint', 'none of the changes'],
    ['alter table orders add column note text not null', 'has no default'],
    ['alter table orders add note text not null', 'has no default'],
    ['alter table orders add column id2 uuid not null default gen_random_uuid()', 'default of its own'],
    ['alter table orders add column n bigserial', 'written into every row'],
    [
      'alter table orders add column n integer generated always as (days * 2) stored',
      'written into every row',
    ],
    ['alter table orders add column code text unique', 'builds an index'],
    ['alter table orders add column n integer check (n > 0)', 'is checked in every row'],
    ['alter table orders add constraint odd check (days > 0)', 'is checked in every row'],
    ['alter table orders add constraint odd unique (days)', 'is checked in every row'],
    ['alter table orders add foreign key (days) references plans', 'is checked in every row'],
    ['create index orders_by_days on orders (days)', 'use buildIndex'],
    ['create unique index on orders (days)', 'use buildIndex'],
    ['create index concurrently orders_by_days on orders (days)', 'in a transaction'],
    ['create or replace function tell_settings() returns trigger as $$ $$', 'takes away'],
    ['update orders set days = 1', 'holds rows'],
    ['select 1; delete from orders', 'holds rows'],
    ['truncate orders', 'holds rows'],
    ['vacuum full orders', 'none of the changes'],
    ['lock table orders', 'none of the changes'],
  ])('may not: %s', (statement, fault) => {
    expect(faults(statement)).toEqual([expect.stringContaining(fault)])
  })

  test('may build indexes outside a transaction, and do nothing else there', () => {
    const outside = { isOutsideTransaction: true }
    expect(faults('create index concurrently if not exists a on orders (days)', outside)).toEqual([])
    expect(faults('drop index concurrently a', outside)).toEqual([])
    expect(faults('alter table orders add column note text', outside)).toHaveLength(1)
  })

  test('may take away with a floor, but neither rename nor change a type', () => {
    const floor = { hasFloor: true }
    for (const statement of ['drop table notes', 'alter table orders drop column days', 'drop function f()'])
      expect(faults(statement, floor)).toEqual([])
    expect(faults('alter table orders rename column days to nights', floor)).toHaveLength(1)
    expect(faults('alter table orders alter column days type bigint', floor)).toHaveLength(1)
  })
})
