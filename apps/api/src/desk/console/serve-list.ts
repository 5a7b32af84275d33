import { Readable } from 'node:stream'
import { JOINED_BY, pairsText, type Column as ShownColumn } from '@hedgerow/contract/console/columns'
import type { Sum } from '@hedgerow/contract/console/lists'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { moreOfSheet, sheetText } from '#platform/csv/write-csv.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { type ListQuery, type Order, readPage, type SortKey, streamRows } from '#platform/http/keyset.ts'
import { invalidField } from '#platform/http/problems.ts'

export type ConsoleListDependencies = With<'db' | 'log'> & {
  /** For files that are long in the making: connections of their own, so that nobody else waits. */
  exportDb: Db
}

/**
 * A list of operators: what it reads, what it may be sorted by, and how a row is shown. The words of `sorts` are those of
 * its query string, without the '-'. A column of the file has its title and the cell.
 */
export type ListDefinition<Filter, Row, Shown> = {
  /** What is found, in no order. Where something has to be looked up first, within an object: a query that is awaited runs. */
  query: (
    db: Db,
    filter: Filter,
    operator: OperatorCaller,
  ) => ListQuery<Row> | Promise<{ query: ListQuery<Row> }>
  sorts: Readonly<Record<string, SortKey>>
  id: Order['id']
  show: (row: Row, operator: OperatorCaller) => Shown
  columns: readonly { name: string; title: string; cell: (shown: Shown) => string }[]
}

export const dateOf = (time: string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time)

type Asked = { sort: string; after?: string | undefined; rows: number; columns?: string | undefined }

const orderOf = (
  { sorts, id }: Pick<ListDefinition<never, never, never>, 'sorts' | 'id'>,
  sort: string,
): Order => {
  const isDescending = sort.startsWith('-')
  const key = new Map(Object.entries(sorts)).get(isDescending ? sort.slice(1) : sort)
  if (!key) throw new Error(`The list cannot be sorted by ${sort}`)
  return { key, isDescending, id }
}

type Column<Shown> = ListDefinition<never, never, Shown>['columns'][number]

const CELLS: Readonly<Record<ShownColumn<never>['kind'], (value: never) => string>> = {
  id: (value: string) => value,
  word: (value: unknown) => String(value),
  text: (value: string) => value,
  sum: ({ minor, currency }: Sum) => formatMinorOf(minor, currency),
  time: (value: string) => value,
  yes: (value: boolean) => (value ? 'yes' : 'no'),
  pairs: (value: Record<string, string>) => pairsText(value),
}

/** The columns of a file, of what the contract says of a row; a sum is two of them. */
export const fileColumns = <Shown>(columns: readonly ShownColumn<Shown>[]): Column<Shown>[] =>
  columns.flatMap(({ name, title, kind }) => {
    const cell = (shown: Shown) => (shown[name] === null ? '' : CELLS[kind](shown[name] as never))
    const column = { name, title: JOINED_BY[title] ?? (kind === 'time' ? `${title} (UTC)` : title), cell }
    if (kind !== 'sum') return [column]
    const currency = (shown: Shown) => (shown[name] as Sum | null)?.currency ?? ''
    const currencyName = column.title === 'charged' ? 'chargedCurrency' : 'currency'
    return [column, { name: currencyName, title: currencyName, cell: currency }]
  })

/** For rows whose sums are all in one currency, which stands once. */
export const inOneCurrency = <T extends { name: string }>(columns: readonly T[]): T[] =>
  columns.filter(({ name }, at) => columns.findIndex((one) => one.name === name) === at)

/** Those that were asked for, in that order. Throws 'invalid' for one that there is not. */
const chosenColumns = <Shown>(all: readonly Column<Shown>[], asked: string | undefined): Column<Shown>[] => {
  if (!asked) return [...all]
  return [...new Set(asked.split(','))].map((name) => {
    const column = all.find((one) => one.name === name)
    if (!column)
      throw invalidField(
        'columns',
        `There is no column ${name}. There are: ${all.map((one) => one.name).join(', ')}.`,
      )
    return column
  })
}

async function* csvLines<Row, Shown>(
  rows: AsyncIterable<Row>,
  columns: readonly Column<Shown>[],
  show: (row: Row) => Shown,
) {
  yield sheetText([columns.map(({ title }) => title)])
  for await (const row of rows) {
    const shown = show(row)
    yield moreOfSheet([columns.map(({ cell }) => cell(shown))])
  }
}

type CsvReply = {
  header: (name: string, value: string) => unknown
  send: (body: Readable | string) => unknown
}
type Asking = { query: unknown; operator: OperatorCaller }

type Endpoints = { list: OperatorEndpoint; file: OperatorEndpoint; fileName: string }

const queryOf = async <Filter, Row>(
  { query }: Pick<ListDefinition<Filter, Row, never>, 'query'>,
  db: Db,
  filter: Filter,
  operator: OperatorCaller,
): Promise<{ query: ListQuery<Row> }> => {
  const made = query(db, filter, operator)
  return made instanceof Promise ? made : { query: made }
}

/** Serves a list a page at a time, and as a file with all that its filter finds, in as much memory as a page. */
export const serveList = <Filter, Row, Shown>(
  app: FastifyInstance | LocalCalls,
  deps: ConsoleListDependencies,
  { list, file, fileName }: Endpoints,
  definition: ListDefinition<Filter, Row, Shown>,
): void => {
  const { show, columns } = definition
  implementForOperators(app, deps, list, (async (request: Asking) => {
    const asked = request.query as Filter & Asked
    const order = orderOf(definition, asked.sort)
    const { query } = await queryOf(definition, deps.db, asked, request.operator)
    const page = await readPage(query, order, asked.rows, asked.after)
    return { rows: page.rows.map((row) => show(row, request.operator)), next: page.next }
  }) as never)
  implementForOperators(app, deps, file, (async (request: Asking, reply: CsvReply) => {
    const asked = request.query as Filter & Asked
    const chosen = chosenColumns(columns, asked.columns)
    const { query } = await queryOf(definition, deps.exportDb, asked, request.operator)
    const rows = streamRows(query, orderOf(definition, asked.sort))
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${fileName}.csv"`)
    return reply.send(Readable.from(csvLines(rows, chosen, (row) => show(row, request.operator))))
  }) as never)
}

/** A CSV file that is made at once, for what is no list of pages. */
export const implementCsv = <Query>(
  app: FastifyInstance | LocalCalls,
  deps: With<'db'>,
  endpoint: OperatorEndpoint,
  make: (query: Query) => Promise<{ name: string; text: string }>,
): void =>
  implementForOperators(app, deps, endpoint, (async ({ query }: { query: Query }, reply: CsvReply) => {
    const { name, text } = await make(query)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${name}.csv"`)
    return reply.send(text)
  }) as never)
