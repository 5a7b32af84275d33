import * as z from 'zod/mini'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-at', 'at'] as const

const filters = {
  who: z.optional(z.string().check(z.maxLength(200))),
  /** 'refund' finds itself, 'node' every command of its group. */
  command: z.optional(z.string().check(z.maxLength(100))),
  subject: z.optional(z.string().check(z.maxLength(100))),
  outcome: z.optional(z.enum(['done', 'refused', 'failed', 'under way'])),
  since: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
}

export const RecordedAction = z.object({
  id: z.string(),
  at: Time,
  who: z.string(),
  command: z.string(),
  arguments: z.record(z.string(), z.union([z.string(), z.boolean()])),
  subject: z.nullable(z.string()),
  outcome: z.enum(['done', 'refused', 'failed', 'under way']),
  endedAt: z.nullable(Time),
})
export type RecordedAction = z.infer<typeof RecordedAction>

export const listRecord = operatorEndpoint({
  ...consoleRoutes.listRecord,
  access: 'operator',
  permission: 'record.see',
  record: 'reads',
  summary: 'What operators did, by the console, by the tool and by tokens',
  schema: { querystring: listQuery(SORTS, filters), response: { 200: pageOf(RecordedAction) } },
})

export const exportRecord = operatorEndpoint({
  ...consoleRoutes.exportRecord,
  access: 'operator',
  permission: 'record.see',
  record: 'reads',
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, filters), response: {} },
})
