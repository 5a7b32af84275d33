import { exportRecord, listRecord, type RecordedAction } from '@hedgerow/contract/console/record'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { detailsText } from '#desk/record/details.ts'
import { actionOrder, selectActions } from '#people/operators/operator-actions.ts'
import type { OperatorActionRow } from '#platform/database/tables/operators.table.ts'

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
  ...actionOrder,
  show: (row) => ({
    id: row.id,
    at: row.at.toISOString(),
    who: row.who,
    command: row.command,
    arguments: row.arguments,
    details: detailsText(row),
    subject: row.subject,
    outcome: row.outcome,
    endedAt: row.ended_at?.toISOString() ?? null,
  }),
  columns: fileColumns(listRecord.columns),
}

/** What operators did, by whatever front. */
export const recordRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void =>
  serveList(app, deps, { list: listRecord, file: exportRecord, fileName: 'record' }, record)
