import type { CallOptions } from '@hedgerow/contract/client'
import { saveInvoice } from '#features/invoices/save-invoice.ts'
import { api } from '#lib/api.ts'

export const createInvoice = async (body: CallOptions<'createInvoice'>['body']): Promise<void> =>
  saveInvoice(await api.call('createInvoice', { body }))
