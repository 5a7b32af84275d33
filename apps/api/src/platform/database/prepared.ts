import type { PoolClient } from 'pg'

type Query = (text: unknown, values?: unknown[], ...rest: unknown[]) => unknown

/** More than all the statements there are; a bound, should one ever be made of its values. */
const MOST = 500
const names = new Map<string, string>()

/** A statement whose columns a migration could change under it is not kept: PostgreSQL would refuse to run it. */
const EVERY_COLUMN = /(?:select|returning) \*|\.\*/

/** What controls transactions and settings has no plan. */
const READS_OR_CHANGES = /^\s*(?:select|with|insert|update|delete) /

/** The name under which a statement is kept; undefined for one that is not. */
const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known || names.size >= MOST || !READS_OR_CHANGES.test(text) || EVERY_COLUMN.test(text)) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** Lets PostgreSQL parse and plan each statement once per connection: most of what a short statement costs. */
export const keepStatements = (client: PoolClient): void => {
  const plain = client.query.bind(client) as Query
  const query: Query = (text, values, ...rest) => {
    const name = typeof text === 'string' && values ? nameOf(text) : undefined
    return name ? plain({ name, text, values }, undefined, ...rest) : plain(text, values, ...rest)
  }
  client.query = query as typeof client.query
}
