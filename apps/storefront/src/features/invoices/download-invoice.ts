import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'
import { saveFile } from '#lib/save-file.ts'

const save = (pdf: Blob) => saveFile('invoice.pdf', pdf, pdf.type)

/** The record of a payment that was typed into the form. */
export const downloadPaymentRecord = async (body: CallOptions<'createInvoice'>['body']): Promise<void> =>
  save(await api.call('createInvoice', { body }))

/** The invoice of a paid order. A failure is only logged, without an effect that one sees (spec §8). */
export const downloadOrderInvoice = (orderId: string): Promise<void> =>
  api
    .call('getOrderInvoice', { params: { id: orderId } })
    .then(save)
    .catch((error: unknown) => console.error(error))
