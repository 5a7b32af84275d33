import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

type YesNo = 'yes' | 'no' | undefined

type CustomerSearch = {
  confirmed?: YesNo
  secondStep?: YesNo
  paid?: YesNo
  mail?: 'returned' | undefined
  country?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

const HAS_PAID = sql<boolean>`exists (
  select from payments where payments.customer_id = customers.id and payments.status = 'Success')`

/** What a search finds, in no order: an account with how much there is of it. */
export const selectCustomerFacts = (
  db: Db,
  { confirmed, secondStep, paid, mail, country, since, until }: CustomerSearch,
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
      selectFrom('returned_mails')
        .select('kind')
        .where('returned_mails.email', '=', ref('customers.email'))
        .as('mail_returned'),
      selectFrom('payments')
        .select(fn.countAll<string>().as('count'))
        .where('payments.customer_id', '=', ref('customers.id'))
        .as('payments'),
      selectFrom('connections')
        .select(fn.countAll<string>().as('count'))
        .where('connections.customer_id', '=', ref('customers.id'))
        .as('connections'),
    ])
    .$if(confirmed !== undefined, (query) =>
      query.where('customers.confirmed_at', confirmed === 'yes' ? 'is not' : 'is', null),
    )
    .$if(secondStep !== undefined, (query) =>
      query.where('customers.second_step_at', secondStep === 'yes' ? 'is not' : 'is', null),
    )
    .$if(paid !== undefined, (query) =>
      query.where(paid === 'yes' ? HAS_PAID : sql<boolean>`not ${HAS_PAID}`),
    )
    .$if(mail !== undefined, (query) =>
      query.where('customers.email', 'in', db.selectFrom('returned_mails').select('email')),
    )
    .$if(country !== undefined, (query) => query.where('customers.address_country', '=', country ?? ''))
    .$if(since !== undefined, (query) => query.where('customers.created_at', '>=', new Date(since ?? 0)))
    .$if(until !== undefined, (query) => query.where('customers.created_at', '<', new Date(until ?? 0)))

/** What lists are sorted by. */
export const customerOrder = {
  sorts: { createdAt: { by: sql`customers.created_at`, type: 'timestamptz' } },
  id: { by: sql`customers.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

export type CustomerFacts = Awaited<
  ReturnType<ReturnType<typeof selectCustomerFacts>['executeTakeFirstOrThrow']>
>

export const findCustomerFacts = (db: Db, id: string): Promise<CustomerFacts | undefined> =>
  selectCustomerFacts(db, {}).where('customers.id', '=', id).executeTakeFirst()
