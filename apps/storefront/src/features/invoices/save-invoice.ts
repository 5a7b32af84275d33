const FILE_NAME = 'invoice.pdf'

/** Gives a document to the browser to save. */
export const saveInvoice = (pdf: Blob) => {
  const url = URL.createObjectURL(pdf)
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  // Some browsers read the file only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
