import * as invoices from '@hedgerow/contract/invoices'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { creditNote } from '#sales/invoices/credit-notes.service.ts'
import { makeRecord, orderInvoice } from '#sales/invoices/invoices.service.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

/** Headers of a document that is to be saved, once it is made. */
const asDownload = async (
  reply: FastifyReply,
  pdf: Promise<Buffer>,
  name: 'invoice' | 'credit-note' = 'invoice',
): Promise<Buffer> => {
  const bytes = await pdf
  reply.type('application/pdf').header('content-disposition', `attachment; filename="${name}.pdf"`)
  return bytes
}

export const invoicesRoutes = (app: FastifyInstance, deps: Dependencies & InvoiceDependencies): void => {
  implement(app, invoices.createInvoice, ({ body }, reply) => asDownload(reply, makeRecord(deps, body)))
  implement(app, invoices.getOrderInvoice, ({ customerId, params }, reply) =>
    asDownload(reply, orderInvoice(deps, customerId, params.id)),
  )
  implement(app, invoices.getCreditNote, ({ customerId, params }, reply) =>
    asDownload(reply, creditNote(deps, customerId, params.id), 'credit-note'),
  )
}
