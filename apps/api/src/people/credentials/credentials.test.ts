import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CREDENTIALS, NO_CREDENTIALS } from '#people/credentials/credentials.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** By its kind or its name, a column that may open something, end such a thing, or count its tries. */
const IS_LIKE_ONE = sql<boolean>`data_type = 'bytea' or column_name ~
  '(hash|token|secret|key|link|ticket|challenge|pass|encrypted|sealed|credential|invit|enrol|expires|used_at|tries|_until|ends_at|code|pin$|otp)'`

type Column = { table: string; column: string; isLikeOne: boolean }

const columnsOf = async (): Promise<Column[]> => {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as "column", ${IS_LIKE_ONE} as "isLikeOne"
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`.execute(
    shop.db,
  )
  return rows
}

const HELD_BY = ['customer_id', 'operator_id']
const declared = CREDENTIALS.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
const tables = new Set(CREDENTIALS.map(({ table }) => table))

describe('the table of what opens something', () => {
  test('has every column of the database that is like one, or says why it is none', async () => {
    const missing = (await columnsOf())
      .filter(({ isLikeOne }) => isLikeOne)
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !declared.includes(name) && !(name in NO_CREDENTIALS))
    expect(missing).toEqual([])
  })

  test('has every table that is a customer’s or an operator’s, or says why it opens nothing', async () => {
    const held = (await columnsOf())
      .filter(({ column }) => HELD_BY.includes(column))
      .map(({ table }) => table)
    expect(held.filter((table) => !tables.has(table) && !(table in NO_CREDENTIALS))).toEqual([])
  })

  test('names nothing that is not there', async () => {
    const columns = (await columnsOf()).flatMap(({ table, column }) => [table, `${table}.${column}`])
    const since = CREDENTIALS.flatMap(({ table, since }) => (since ? [`${table}.${since}`] : []))
    const named = [...declared, ...since, ...Object.keys(NO_CREDENTIALS)]
    expect(named.filter((name) => !columns.includes(name))).toEqual([])
    expect(declared.filter((name) => name in NO_CREDENTIALS)).toEqual([])
  })
})
