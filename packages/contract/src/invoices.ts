import {
  AMOUNT_WITH_CURRENCY,
  INVOICE_LENGTHS,
  maskCardNumbers,
  maskTypedPan,
  shownTimestamp,
} from '@hedgerow/domain/invoices'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { plainName } from '@hedgerow/domain/pasted'
import * as z from 'zod/mini'
import { endpoint, PdfReply } from './endpoint.ts'
import { atMost, oneLine, Uuid } from './fields.ts'
import { routes } from './routes.ts'

const text = (field: keyof typeof INVOICE_LENGTHS, required: string) =>
  oneLine(required, INVOICE_LENGTHS[field]).check(z.overwrite(maskCardNumbers))

/** What the invoice page holds (spec §3, §5). A full card number is masked before anything else looks at it. */
export const CreateInvoiceRequest = z.object({
  timestamp: z.pipe(
    text('timestamp', MESSAGES.invoiceTimestampRequired),
    z.string().check(
      z.refine((value) => shownTimestamp(value) !== undefined, OUR_MESSAGES.timestamp),
      z.overwrite((value) => shownTimestamp(value) ?? value),
    ),
  ),
  description: text('description', MESSAGES.invoiceDescriptionRequired),
  authCode: text('authCode', MESSAGES.invoiceAuthCodeRequired),
  method: text('method', MESSAGES.invoiceMethodRequired),
  pan: z.pipe(
    // In groups, and with signs that NFKC writes longer, it may be longer than it is shown.
    z
      .string(MESSAGES.invoicePanRequired)
      .check(
        atMost(5 * INVOICE_LENGTHS.pan, OUR_MESSAGES.textLong(INVOICE_LENGTHS.pan)),
        z.overwrite(maskTypedPan),
      ),
    text('pan', MESSAGES.invoicePanRequired),
  ),
  cardHolder: z.pipe(
    z.string(MESSAGES.invoiceCardHolderRequired).check(z.overwrite(plainName)),
    text('cardHolder', MESSAGES.invoiceCardHolderRequired),
  ),
  total: text('total', MESSAGES.invoiceTotalRequired).check(
    z.regex(AMOUNT_WITH_CURRENCY, MESSAGES.invoiceTotalRequired),
  ),
})
export type CreateInvoiceRequest = z.infer<typeof CreateInvoiceRequest>

export const createInvoice = endpoint({
  ...routes.createInvoice,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Lay out what was typed as a payment record; it is no invoice of ours and carries no number',
  schema: { body: CreateInvoiceRequest, response: { 200: PdfReply } },
  problems: [503],
})

export const getOrderInvoice = endpoint({
  ...routes.getOrderInvoice,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 120, minutes: 60, by: 'customer' },
  ],
  summary: 'The numbered invoice of a paid order of the account',
  schema: { params: z.object({ id: Uuid }), response: { 200: PdfReply } },
  problems: [404, 409, 410, 503],
})

export const getCreditNote = endpoint({
  ...routes.getCreditNote,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 120, minutes: 60, by: 'customer' },
  ],
  summary: 'The numbered credit note of a refund of the account, or of a correction of an invoice of its',
  schema: { params: z.object({ id: Uuid }), response: { 200: PdfReply } },
  problems: [404, 503],
})
