import type { CallOptions } from '@hedgerow/contract/client'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { api } from '#lib/api.ts'

const saveAs = (name: string) => (pdf: Blob) => saveFile(name, pdf, pdf.type)
const save = saveAs('invoice.pdf')

/** The record of a payment that was typed into the form. */
export const downloadPaymentRecord = async (body: CallOptions<'createInvoice'>['body']): Promise<void> =>
  save(await api.call('createInvoice', { body }))

/** The invoice of a paid order. A failure is only logged, without an effect that one sees (spec §8). */
export const downloadOrderInvoice = (orderId: string): Promise<void> =>
  api
    .call('getOrderInvoice', { params: { id: orderId } })
    .then(save)
    .catch((error: unknown) => console.error(error))

/** The credit note of a refund, or of a correction. A failure is only logged, as with invoices. */
export const downloadCreditNote = (id: string): Promise<void> =>
  api
    .call('getCreditNote', { params: { id } })
    .then(saveAs('credit-note.pdf'))
    .catch((error: unknown) => console.error(error))
