import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { choice, moment, optional, shapeOf, text } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-at', 'at'] as const

const OUTCOMES = ['done', 'refused', 'failed', 'under way'] as const

const filters = {
  who: optional(
    text('Who', z.string().check(z.maxLength(200)), { hint: 'With or without the name of the host' }),
  ),
  command: optional(
    text('What', z.string().check(z.maxLength(100)), {
      hint: 'A command, or the first word of several, such as node',
    }),
  ),
  subject: optional(
    text('To what', z.string().check(z.maxLength(100)), {
      hint: 'An id, such as a customer’s or a payment’s, or the name of a node',
    }),
  ),
  outcome: optional(
    choice('Outcome', [
      ['done', 'Done'],
      ['refused', 'Refused'],
      ['failed', 'Failed'],
      ['under way', 'Under way, or interrupted'],
    ]),
  ),
  since: optional(moment('From')),
  until: optional(moment('Before')),
}

export const RecordedAction = z.object({
  id: z.string(),
  at: Time,
  who: z.string(),
  command: z.string(),
  arguments: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** The same as a sentence would have it: by the labels of the act's form, sums as amounts. */
  details: z.string(),
  subject: z.nullable(z.string()),
  outcome: z.enum(OUTCOMES),
  endedAt: z.nullable(Time),
})
export type RecordedAction = z.infer<typeof RecordedAction>

const seesRecord = {
  access: 'operator',
  permission: 'record.see',
  consequence: 'looks',
  record: 'reads',
  command: 'audit list',
  fields: filters,
  columns: columnsOf<RecordedAction>([
    { name: 'at', title: 'Time', kind: 'time', sort: 'at' },
    { name: 'who', title: 'Who', kind: 'text' },
    { name: 'command', title: 'What', kind: 'word' },
    { name: 'subject', title: 'To what', kind: 'text' },
    { name: 'outcome', title: 'Outcome', kind: 'word' },
    { name: 'details', title: 'Details', kind: 'text' },
  ]),
} as const

export const listRecord = operatorEndpoint({
  ...consoleRoutes.listRecord,
  ...seesRecord,
  summary: 'What operators did, by the console, by the tool and by tokens, newest first',
  schema: { querystring: listQuery(SORTS, shapeOf(filters)), response: { 200: pageOf(RecordedAction) } },
})

export const exportRecord = operatorEndpoint({
  ...consoleRoutes.exportRecord,
  ...seesRecord,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(filters)), response: {} },
})
