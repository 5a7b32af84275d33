import * as z from 'zod/mini'
import { operatorEndpoint } from './operator-endpoint.ts'
import { Day } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const sees = { access: 'operator', permission: 'books.see', record: 'reads' } as const
const opensBooks = { access: 'operator', permission: 'books.open' } as const

const VatSums = z.object({ net: z.string(), vat: z.string() })
const DocumentSums = z.extend(VatSums, { count: z.int() })

export const getVatReturn = operatorEndpoint({
  ...consoleRoutes.getVatReturn,
  ...sees,
  summary: 'What some days owe in VAT, in pounds, and the boxes of HMRC’s return. Nothing is submitted',
  schema: {
    querystring: z.object({ from: Day, to: Day, ossInBox6: z.optional(z.literal('true')) }),
    response: {
      200: z.object({
        from: z.string(),
        to: z.string(),
        rows: z.array(
          z.extend(VatSums, {
            treatment: z.string(),
            country: z.nullable(z.string()),
            rate: z.number(),
            invoices: DocumentSums,
            creditNotes: DocumentSums,
          }),
        ),
        totals: z.extend(VatSums, { invoices: DocumentSums, creditNotes: DocumentSums }),
        boxes: z.array(z.object({ box: z.int(), what: z.string(), says: z.nullable(z.string()) })),
        notes: z.array(z.string()),
      }),
    },
  },
  problems: [409],
})

export const vatReturnFile = operatorEndpoint({
  ...consoleRoutes.vatReturnFile,
  ...sees,
  isDownload: true,
  summary: 'The rows of the same as a file',
  schema: {
    querystring: z.object({ from: Day, to: Day, ossInBox6: z.optional(z.literal('true')) }),
    response: {},
  },
  problems: [409],
})

const quarter = z.object({ quarter: z.string().check(z.regex(/^20\d\d-Q[1-4]$/)) })

export const getOssReturn = operatorEndpoint({
  ...consoleRoutes.getOssReturn,
  ...sees,
  summary: 'What a quarter owes in the One Stop Shop, in euro',
  schema: {
    querystring: quarter,
    response: {
      200: z.object({
        quarter: z.string(),
        rows: z.array(
          z.extend(VatSums, {
            country: z.string(),
            rate: z.number(),
            invoices: z.int(),
            creditNotes: z.int(),
          }),
        ),
        corrections: z.array(
          z.extend(VatSums, { country: z.string(), period: z.string(), creditNotes: z.int() }),
        ),
        totals: z.extend(VatSums, { corrections: z.string(), due: z.string() }),
        notes: z.array(z.string()),
      }),
    },
  },
  problems: [409],
})

export const ossReturnFile = operatorEndpoint({
  ...consoleRoutes.ossReturnFile,
  ...sees,
  isDownload: true,
  summary: 'The same as a file, as it is typed into the portal',
  schema: { querystring: quarter, response: {} },
  problems: [409],
})

export const vatEvidenceFile = operatorEndpoint({
  ...consoleRoutes.vatEvidenceFile,
  ...opensBooks,
  record: { opens: 'vat-evidence list', keeps: ['from', 'to', 'contradicting'] },
  isDownload: true,
  summary: 'What the country of each sale was determined by, as a file',
  schema: {
    querystring: z.object({ from: Day, to: Day, contradicting: z.optional(z.literal('true')) }),
    response: {},
  },
})

const MonthTotal = z.object({ what: z.string(), sums: z.record(z.string(), z.string()) })
const MonthWaiting = z.object({
  kind: z.string(),
  what: z.string(),
  count: z.int(),
  ids: z.array(z.string()),
})

export const checkConsoleMonth = operatorEndpoint({
  ...consoleRoutes.checkConsoleMonth,
  ...sees,
  summary: 'Whether every total of a month agrees with every other, and what still waits',
  schema: {
    params: z.object({ month: z.string().check(z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)) }),
    response: {
      200: z.object({
        month: z.string(),
        canBeClosed: z.boolean(),
        checks: z.array(
          z.object({
            check: z.string(),
            agrees: z.boolean(),
            left: MonthTotal,
            right: MonthTotal,
            differences: z.array(z.object({ about: z.string(), says: z.string() })),
            moreDifferences: z.int(),
          }),
        ),
        waiting: z.array(MonthWaiting),
        remarks: z.array(MonthWaiting),
        /** The days of its quarter, where it ends one. */
        quarter: z.nullable(z.object({ name: z.string(), from: z.string(), to: z.string() })),
        from: z.string(),
        to: z.string(),
      }),
    },
  },
  problems: [409],
})
