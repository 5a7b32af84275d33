import * as z from 'zod/mini'
import { bodyOf, queryTick, text } from './fields.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { periodFields, Quarter } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const sees = {
  access: 'operator',
  permission: 'books.see',
  consequence: 'looks',
  record: 'reads',
  problems: [409],
} as const

const vatFields = {
  ...periodFields,
  ossInBox6: queryTick('Count the net of what is declared in the One Stop Shop in box 6'),
}

/** Sums in pounds. Net and VAT are those of the invoices less those of the credit notes. */
const vatSums = {
  invoices: z.int(),
  invoicesNet: z.string(),
  invoicesVat: z.string(),
  creditNotes: z.int(),
  creditNotesNet: z.string(),
  creditNotesVat: z.string(),
  net: z.string(),
  vat: z.string(),
}

const ofVat = { ...sees, command: 'vat-return', fields: vatFields } as const

export const getVatReturn = operatorEndpoint({
  ...consoleRoutes.getVatReturn,
  ...ofVat,
  summary:
    'What the invoices paid and the credit notes of money given back in a period owe in VAT, in pounds, and the boxes of HMRC’s return. Nothing is submitted',
  schema: {
    querystring: bodyOf(vatFields),
    response: {
      200: z.object({
        from: z.string(),
        to: z.string(),
        rows: z.array(
          z.object({
            treatment: z.string(),
            country: z.nullable(z.string()),
            rate: z.number(),
            ...vatSums,
          }),
        ),
        totals: z.object(vatSums),
        /**
         * `name` is HMRC’s; `says` is null where it comes from the accounts. `part`: whether that is the whole box, or only
         * the shop’s part of it.
         */
        boxes: z.array(
          z.object({
            box: z.int(),
            name: z.string(),
            what: z.string(),
            says: z.nullable(z.string()),
            part: z.enum(['whole', 'shop', 'accounts']),
          }),
        ),
        notes: z.array(z.string()),
      }),
    },
  },
})

export const vatReturnFile = operatorEndpoint({
  ...consoleRoutes.vatReturnFile,
  ...ofVat,
  isDownload: true,
  summary: 'The rows of the same as a file',
  schema: { querystring: bodyOf(vatFields), response: {} },
})

const ossFields = { quarter: text('Quarter', Quarter, { hint: 'One of the calendar, like 2026-Q4' }) }
const sums = { net: z.string(), vat: z.string() }
const ofOss = { ...sees, command: 'oss-return', fields: ossFields } as const

export const getOssReturn = operatorEndpoint({
  ...consoleRoutes.getOssReturn,
  ...ofOss,
  summary:
    'What the sales of a quarter to consumers in EU countries owe in the One Stop Shop, in euro, less the credit notes on them, and what is to be corrected of earlier quarters. Nothing is submitted',
  schema: {
    querystring: bodyOf(ossFields),
    response: {
      200: z.object({
        quarter: z.string(),
        from: z.string(),
        to: z.string(),
        currency: z.string(),
        rows: z.array(
          z.object({
            country: z.string(),
            rate: z.number(),
            invoices: z.int(),
            creditNotes: z.int(),
            ...sums,
            /** Of these what was sold in euro; and what was in pounds, in pounds. */
            euroNet: z.string(),
            euroVat: z.string(),
            poundsNet: z.string(),
            poundsVat: z.string(),
          }),
        ),
        corrections: z.array(
          z.object({ country: z.string(), period: z.string(), creditNotes: z.int(), ...sums }),
        ),
        totals: z.object({ ...sums, corrections: z.string(), due: z.string() }),
        /** Pounds for €1. */
        rates: z.array(z.object({ quarter: z.string(), day: z.string(), rate: z.string() })),
        notes: z.array(z.string()),
      }),
    },
  },
})

export const ossReturnFile = operatorEndpoint({
  ...consoleRoutes.ossReturnFile,
  ...ofOss,
  isDownload: true,
  summary: 'The same as a file, as it is typed into the portal',
  schema: { querystring: bodyOf(ossFields), response: {} },
})
