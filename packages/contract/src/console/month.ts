import * as z from 'zod/mini'
import { PdfReply } from '../endpoint.ts'
import { bodyOf, optional, text, words } from './fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { Month } from './periods.ts'
import { consoleRoutes } from './routes.ts'

/** By currency; or how many, under 'documents'. */
const Total = z.object({ what: z.string(), sums: z.record(z.string(), z.string()) })
/** `kind` says what to do about it, in the words of whoever shows it. */
const Waiting = z.object({ kind: z.string(), what: z.string(), count: z.int(), ids: z.array(z.string()) })

const CheckedMonthView = z.object({
  month: z.string(),
  canBeClosed: z.boolean(),
  checks: z.array(
    z.object({
      check: z.string(),
      agrees: z.boolean(),
      left: Total,
      right: Total,
      differences: z.array(z.object({ about: z.string(), says: z.string() })),
      moreDifferences: z.int(),
    }),
  ),
  waiting: z.array(Waiting),
  remarks: z.array(Waiting),
  /** The days of its quarter, where it ends one. */
  quarter: z.nullable(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  from: z.string(),
  to: z.string(),
})
export type CheckedMonthView = z.infer<typeof CheckedMonthView>

const fields = { month: text('Month', Month, { hint: 'Like 2026-11' }) }

export const checkConsoleMonth = operatorEndpoint({
  ...consoleRoutes.checkConsoleMonth,
  access: 'operator',
  permission: 'books.see',
  consequence: 'looks',
  record: 'reads',
  command: 'month check',
  summary:
    'Whether every total of a month, added up in two ways, agrees with every other, and what still waits. A month goes by the days of London; nothing is changed',
  fields,
  schema: { querystring: bodyOf(fields), response: { 200: CheckedMonthView } },
  problems: [409],
})

/** Pounds as text, '1234.50'; null while a rate is missing. */
const Pounds = z.nullable(z.string())

const ClosedView = z.object({
  at: Time,
  by: z.string(),
  /** Why it was closed although something differed or waited. */
  reason: z.nullable(z.string()),
  agreed: z.int(),
  differed: z.int(),
  waited: z.array(z.object({ what: z.string(), count: z.int() })),
})

const MonthStatementView = z.object({
  month: z.string(),
  /** The month before, beside it. */
  before: z.string(),
  isOver: z.boolean(),
  lines: z.array(
    z.object({
      name: z.string(),
      what: z.string(),
      kind: z.enum(['part', 'total', 'beside']),
      pounds: Pounds,
      /** Of the month before. */
      poundsBefore: Pounds,
      /** What it was made of, where that was other money than pounds. */
      sums: z.array(z.object({ currency: z.string(), sum: z.string() })),
    }),
  ),
  /** Currencies that have no rate in it. */
  missingRates: z.array(z.string()),
  closed: z.nullable(ClosedView),
  /** Sums that have changed since it was closed. */
  corrections: z.array(z.object({ what: z.string(), closed: z.string(), now: Pounds, difference: Pounds })),
  /** Closed months shortly before it that have changed since, the latest first. */
  changedBefore: z.array(z.string()),
  /** Which month is closed next, where that is another one. */
  closesFirst: z.nullable(z.string()),
})
export type MonthStatementView = z.infer<typeof MonthStatementView>

const ofStatement = {
  access: 'operator',
  permission: 'books.see',
  consequence: 'looks',
  record: 'reads',
  command: 'month statement',
  fields,
} as const

export const getMonthStatement = operatorEndpoint({
  ...consoleRoutes.getMonthStatement,
  ...ofStatement,
  summary:
    'What a month comes to in pounds at the rates of the books, with the month before beside it; of a closed month as it was closed, and what has changed since',
  schema: { querystring: bodyOf(fields), response: { 200: MonthStatementView } },
  problems: [409],
})

export const monthStatementFile = operatorEndpoint({
  ...consoleRoutes.monthStatementFile,
  ...ofStatement,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: bodyOf(fields), response: {} },
  problems: [409],
})

const ofMonth = z.object({ month: Month })

export const monthStatementPdf = operatorEndpoint({
  ...consoleRoutes.monthStatementPdf,
  access: 'operator',
  permission: 'books.see',
  consequence: 'looks',
  record: 'reads',
  isDownload: true,
  summary: 'The statement of a month on paper',
  schema: { params: ofMonth, response: { 200: PdfReply } },
  problems: [409],
})

const closeFields = {
  reason: optional(
    words('Reason', 1, 500, {
      hint: 'Only to close it although a total differs or something waits. It is kept with the month',
    }),
  ),
}

export const closeMonth = operatorEndpoint({
  ...consoleRoutes.closeMonth,
  access: 'operator',
  permission: 'books.change',
  consequence: 'books',
  record: { changes: 'month close', subject: 'month' },
  summary:
    'Close a month: record what it came to and what was proved of it, for good. What changes later shows as a correction',
  asks: 'Close this month? Its statement and proofs are recorded for good. Later changes show as corrections.',
  fields: closeFields,
  schema: {
    params: ofMonth,
    body: bodyOf(closeFields),
    response: { 200: z.object({ isNew: z.boolean(), month: z.string(), at: Time, by: z.string() }) },
  },
  problems: [409],
})
