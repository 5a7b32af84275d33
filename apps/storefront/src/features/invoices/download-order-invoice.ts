import { saveInvoice } from '#features/invoices/save-invoice.ts'
import { api } from '#lib/api.ts'

/** Saves the invoice of a paid order. A failure is only logged, without an effect that one sees (spec §8). */
export const downloadOrderInvoice = (orderId: string): Promise<void> =>
  api
    .call('getOrderInvoice', { params: { id: orderId } })
    .then(saveInvoice)
    .catch((error: unknown) => console.error(error))
