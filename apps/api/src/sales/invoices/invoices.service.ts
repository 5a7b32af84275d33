import type { CreateInvoiceRequest } from '@hedgerow/contract/invoices'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { presentInvoice } from '#sales/invoices/invoices.present.ts'
import { findOrderInvoice } from '#sales/invoices/invoices.queries.ts'
import { issueInvoice } from '#sales/invoices/issue-invoices.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

export { deleteOldInvoices } from '#sales/invoices/invoices.queries.ts'

type Deps = With<'db' | 'settings'> & InvoiceDependencies

/** Lays out what the customer typed. It is kept nowhere. */
export const makeRecord = (
  { settings, pdfs }: Pick<Deps, 'settings' | 'pdfs'>,
  payment: CreateInvoiceRequest,
): Promise<Buffer> => {
  const { name, company } = settings.brand
  return pdfs.make({ kind: 'record', issuer: { name, company }, made: new Date(), payment })
}

/** Throws 'order-not-found', also for another customer's order, 'order-not-paid', 'invoice-fails' or 'invoice-not-kept'. */
export const orderInvoice = async (deps: Deps, customerId: string, orderId: string): Promise<Buffer> => {
  const find = () => findOrderInvoice(deps.db, customerId, orderId)
  let found = await find()
  if (!found) throw new Problem('order-not-found')
  if (found.status !== 'Completed') throw new Problem('order-not-paid')
  if (!found.snapshot) {
    await issueInvoice(deps, orderId)
    found = await find()
  }
  const { year, number, issued_at, snapshot } = found ?? {}
  if (!year || !number || !issued_at || !snapshot) throw new Problem('invoice-not-kept')
  return deps.pdfs.make(presentInvoice({ year, number, issued_at, snapshot }))
}
