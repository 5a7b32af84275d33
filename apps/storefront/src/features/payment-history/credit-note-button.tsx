import { useState } from 'react'

type CreditNoteButtonProps = {
  refundId: string
  /** 'CN-2026-000001'. */
  number: string
  describedBy: string
  onCreditNote: (refundId: string) => Promise<void>
}

/** Gets the credit note of a refund, beside what it says of it. A failure is only logged, as with invoices. */
export const CreditNoteButton = ({ refundId, number, describedBy, onCreditNote }: CreditNoteButtonProps) => {
  const [isBusy, setIsBusy] = useState(false)
  const get = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await onCreditNote(refundId)
    } catch (error) {
      console.error('The credit note was not downloaded', error)
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
        Credit note <span className="whitespace-nowrap">{number}</span>
      </span>
    </button>
  )
}
