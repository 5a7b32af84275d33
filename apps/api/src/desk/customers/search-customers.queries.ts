import { isPaymentId, isUuid } from '@hedgerow/domain/ids'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

const LAST_FOUR = /^\d{4}$/

/** Text in which nothing stands for anything else. */
const containing = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`

const byIdOf = (id: string) => sql<SqlBool>`customers.id in (
  select ${id}::uuid
  union all select customer_id from orders where orders.id = ${id}::uuid
  union all select customer_id from connections where connections.id = ${id}::uuid)`

/** The customers whom the words may mean, by what the words look like. */
const conditions = (words: string): Expression<SqlBool>[] => {
  if (isUuid(words)) return [byIdOf(words)]
  const pattern = containing(words)
  const email = pattern.toLowerCase()
  const byEmail = sql<SqlBool>`(customers.email like ${email} or customers.id in (
    select customer_id from email_changes where changed_at is not null and old_email like ${email}))`
  if (words.includes('@')) return [byEmail]
  return [
    byEmail,
    sql<SqlBool>`customers.name ilike ${pattern}`,
    sql<SqlBool>`(customers.first_name || ' ' || customers.last_name) ilike ${pattern}`,
    sql<SqlBool>`customers.promocode = ${words.toUpperCase()}`,
    ...(isPaymentId(words)
      ? [sql<SqlBool>`customers.id = (select customer_id from payments where payments.id = ${words})`]
      : []),
    ...(LAST_FOUR.test(words)
      ? [
          sql<SqlBool>`customers.id in (select customer_id from payments where right(pan_masked, 4) = ${words})`,
        ]
      : []),
  ]
}

/** The newest accounts that the words may mean: an e-mail, also a former one, or a name or part of it, a code, an id, a card's last four. */
export const searchCustomerRows = (db: Db, words: string, limit: number) =>
  db
    .selectFrom('customers')
    .select(['id', 'email', 'name', 'confirmed_at', 'created_at'])
    .where(({ or }) => or(conditions(words)))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export type FoundRow = Awaited<ReturnType<typeof searchCustomerRows>>[number]
