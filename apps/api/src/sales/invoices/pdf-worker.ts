/** Runs in a thread of its own: laying out a page and cutting its fonts down would hold up every other answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { type CommissionData, commissionPdf } from '@hedgerow/documents/commission-pdf'
import { type CreditNoteData, creditNotePdf } from '@hedgerow/documents/credit-note-pdf'
import { type InvoiceData, invoicePdf } from '@hedgerow/documents/invoice-pdf'
import { type StatementData, statementPdf } from '@hedgerow/documents/statement-pdf'
import { TextRefused } from '@hedgerow/documents/text-refused'
import { putDocumentsLast } from '#platform/thread-priorities.ts'

export type PdfData = InvoiceData | CreditNoteData | CommissionData | StatementData

export type PdfOrder = { id: number; data: PdfData }

export type PdfAnswer = { id: number } & (
  | { pdf: Uint8Array }
  | { refused: { path: string; message: string } }
  | { fault: unknown }
)

const pdfOf = (data: PdfData): Promise<Buffer> => {
  if (data.kind === 'commission') return commissionPdf(data)
  if (data.kind === 'statement') return statementPdf(data)
  return data.kind === 'credit-note' ? creditNotePdf(data) : invoicePdf(data)
}

const answerTo = async ({ id, data }: PdfOrder): Promise<PdfAnswer> => {
  try {
    return { id, pdf: await pdfOf(data) }
  } catch (error) {
    if (!(error instanceof TextRefused)) return { id, fault: error }
    return { id, refused: { path: error.path, message: error.message } }
  }
}

if (workerData.givesWay) putDocumentsLast()

parentPort?.on('message', (order: PdfOrder) => {
  void answerTo(order).then((answer) => parentPort?.postMessage(answer))
})
