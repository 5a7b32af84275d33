import { useState } from 'react'

type DocumentButtonProps = {
  kind: 'Credit note' | 'Invoice' | 'Document'
  /** 'CN-2026-000001'. */
  number: string
  describedBy?: string
  onGet: () => Promise<void>
}

/** Gets a document, beside what is said of what it is about. A failure is only logged, as with invoices. */
export const DocumentButton = ({ kind, number, describedBy, onGet }: DocumentButtonProps) => {
  const [isBusy, setIsBusy] = useState(false)
  const get = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await onGet()
    } catch (error) {
      console.error('The document was not downloaded', error)
    }
    setIsBusy(false)
  }
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      aria-describedby={describedBy}
      className="link inline-flex min-h-11 items-center text-left text-sm aria-busy:cursor-progress max-lg:text-right"
      onClick={() => void get()}
    >
      <span>
        {kind} <span className="whitespace-nowrap">{number}</span>
      </span>
    </button>
  )
}
