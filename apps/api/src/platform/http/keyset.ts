import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { Problem } from '#platform/http/problems.ts'

/** A place in an order: what a row is sorted by, and its id, as the database writes them. */
type Place = readonly [string, string]

/**
 * Something that a list is sorted by: an expression that is never null, and its type in the database. Its text is carried
 * from page to page: a JavaScript date knows no microseconds.
 */
export type SortKey = {
  by: RawBuilder<unknown>
  type: 'timestamptz' | 'bigint' | 'text' | 'numeric' | 'numeric[]'
}

export type Order = {
  key: SortKey
  isDescending: boolean
  /** What tells rows apart that sort alike. */
  id: { by: RawBuilder<unknown>; type: 'uuid' | 'text' | 'bigint' }
}

const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

const encode = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Throws 'cursor-invalid'. */
const decode = (cursor: string): Place => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (isPlace(place)) return place
  } catch {
    // It is not one of ours.
  }
  throw new Problem('cursor-invalid')
}

// biome-ignore lint/suspicious/noExplicitAny: a list may be of any tables, joined in any way.
export type ListQuery<Row> = SelectQueryBuilder<Database, any, Row>

type Sorted = { sort_text: string; id_text: string }

const cast = (value: string, type: string): Expression<unknown> => sql`${value}::${sql.raw(type)}`

/** The query in an order, from behind a place on. */
const inOrder = <Row>(query: ListQuery<Row>, { key, isDescending, id }: Order, after: Place | undefined) => {
  const direction = isDescending ? 'desc' : 'asc'
  const sorted = query.orderBy(key.by, direction).orderBy(id.by, direction)
  if (!after) return sorted
  const place = sql`(${cast(after[0], key.type)}, ${cast(after[1], id.type)})`
  const beyond = isDescending ? sql.raw('<') : sql.raw('>')
  return sorted.where(sql<boolean>`(${key.by}, ${id.by}) ${beyond} ${place}`)
}

/** What PostgreSQL says of a text that is no value of its type. */
const NO_VALUE = new Set(['22P02', '22007', '22008', '22003', '22021'])

/** A page of so many rows, and where the next begins; null at the end. Throws 'cursor-invalid'. */
export const readPage = async <Row>(
  query: ListQuery<Row>,
  order: Order,
  rows: number,
  after: string | undefined,
): Promise<{ rows: Row[]; next: string | null }> => {
  const { key, id } = order
  const asked = inOrder(query, order, after === undefined ? undefined : decode(after))
    .select([sql<string>`(${key.by})::text`.as('sort_text'), sql<string>`(${id.by})::text`.as('id_text')])
    .limit(rows + 1)
  const found = await asked.execute().catch((error: { code?: string }) => {
    if (after !== undefined && NO_VALUE.has(error.code ?? '')) throw new Problem('cursor-invalid')
    throw error
  })
  const shown = found.slice(0, rows) as (Row & Sorted)[]
  const last = shown.at(-1)
  const next = found.length > rows && last ? encode([last.sort_text, last.id_text]) : null
  return { rows: shown, next }
}

const AT_A_TIME = 500

/** All rows, a few at a time, however many there are. */
export const streamRows = <Row>(query: ListQuery<Row>, order: Order): AsyncIterable<Row> =>
  inOrder(query, order, undefined).stream(AT_A_TIME)
