import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

export type CustomerSearch = {
  isConfirmed?: boolean | undefined
  hasSecondStep?: boolean | undefined
  hasPaid?: boolean | undefined
  country?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

const HAS_PAID = sql<boolean>`exists (
  select from payments where payments.customer_id = customers.id and payments.status = 'Success')`

/** What a search finds, in no order: an account with how much there is of it. */
export const selectCustomerFacts = (
  db: Db,
  { isConfirmed, hasSecondStep, hasPaid, country, since, until }: CustomerSearch,
) =>
  db
    .selectFrom('customers')
    .select(({ selectFrom, fn, ref }) => [
      'customers.id',
      'customers.email',
      'customers.name',
      'customers.confirmed_at',
      'customers.second_step_at',
      'customers.second_step_ends_at',
      'customers.address_country',
      'customers.promocode',
      'customers.referred_by',
      'customers.created_at',
      selectFrom('payments')
        .select(fn.countAll<string>().as('count'))
        .where('payments.customer_id', '=', ref('customers.id'))
        .as('payments'),
      selectFrom('connections')
        .select(fn.countAll<string>().as('count'))
        .where('connections.customer_id', '=', ref('customers.id'))
        .as('connections'),
    ])
    .$if(isConfirmed !== undefined, (query) =>
      query.where('customers.confirmed_at', isConfirmed ? 'is not' : 'is', null),
    )
    .$if(hasSecondStep !== undefined, (query) =>
      query.where('customers.second_step_at', hasSecondStep ? 'is not' : 'is', null),
    )
    .$if(hasPaid !== undefined, (query) => query.where(hasPaid ? HAS_PAID : sql<boolean>`not ${HAS_PAID}`))
    .$if(country !== undefined, (query) => query.where('customers.address_country', '=', country ?? ''))
    .$if(since !== undefined, (query) => query.where('customers.created_at', '>=', since ?? new Date(0)))
    .$if(until !== undefined, (query) => query.where('customers.created_at', '<', until ?? new Date(0)))

export type CustomerFacts = Awaited<
  ReturnType<ReturnType<typeof selectCustomerFacts>['executeTakeFirstOrThrow']>
>

export const findCustomerFacts = (db: Db, id: string): Promise<CustomerFacts | undefined> =>
  selectCustomerFacts(db, {}).where('customers.id', '=', id).executeTakeFirst()
