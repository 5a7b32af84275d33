import { saveFile } from '#lib/save-file.ts'

export const saveInvoice = (pdf: Blob) => saveFile('invoice.pdf', pdf, pdf.type)
