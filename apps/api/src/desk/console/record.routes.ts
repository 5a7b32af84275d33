import { exportRecord, listRecord, type RecordedAction } from '@hedgerow/contract/console/record'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { selectActions } from '#people/operators/operator-actions.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import type { OperatorActionRow } from '#platform/database/tables/operators.table.ts'

const show = ({
  id,
  at,
  who,
  command,
  subject,
  outcome,
  ended_at,
  ...row
}: OperatorActionRow): RecordedAction => ({
  id,
  at: at.toISOString(),
  who,
  command,
  arguments: row.arguments,
  subject,
  outcome,
  endedAt: ended_at?.toISOString() ?? null,
})

const argumentsText = ({ arguments: given }: RecordedAction): string =>
  Object.entries(given)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const record: ListDefinition<
  z.output<typeof listRecord.schema.querystring>,
  OperatorActionRow,
  RecordedAction
> = {
  query: (db, { since, until, ...filter }) =>
    selectActions(db, {
      ...filter,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    }),
  sorts: { at: { by: sql`operator_actions.at`, type: 'timestamptz' } },
  id: { by: sql`operator_actions.id`, type: 'uuid' },
  show,
  columns: [
    { name: 'at', title: 'Time (UTC)', cell: ({ at }) => at },
    { name: 'who', title: 'Who', cell: ({ who }) => plainText(who) },
    { name: 'command', title: 'What', cell: ({ command }) => command },
    { name: 'subject', title: 'To what', cell: ({ subject }) => plainText(subject ?? '') },
    { name: 'outcome', title: 'Outcome', cell: ({ outcome }) => outcome },
    { name: 'arguments', title: 'With', cell: (row) => plainText(argumentsText(row)) },
  ],
}

/** What operators did, by whatever front. */
export const recordRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void =>
  serveList(app, deps, { list: listRecord, file: exportRecord, fileName: 'record' }, record)
