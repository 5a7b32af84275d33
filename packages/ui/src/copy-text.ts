/** The old method, which is all there is without TLS. It works only while a press is handled. */
const copyByCommand = (text: string): boolean => {
  let isCopied = false
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', onCopy)
  try {
    return document.execCommand('copy') && isCopied
  } finally {
    document.removeEventListener('copy', onCopy)
  }
}

/** Puts a text on the clipboard; throws where the browser does not let us. */
export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    if (!copyByCommand(text)) throw error
  }
}
