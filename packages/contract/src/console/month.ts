import * as z from 'zod/mini'
import { bodyOf, text } from './fields.ts'
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
