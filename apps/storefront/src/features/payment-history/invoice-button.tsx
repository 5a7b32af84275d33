import { Button } from '@hedgerow/ui/button.tsx'
import { useState } from 'react'

type InvoiceButtonProps = {
  orderId: string
  describedBy: string
  onInvoice: (orderId: string) => Promise<void>
}

/** Gets the invoice of a paid order. A failure is only logged (spec §8). */
export const InvoiceButton = ({ orderId, describedBy, onInvoice }: InvoiceButtonProps) => {
  const [isBusy, setIsBusy] = useState(false)
  const get = async () => {
    setIsBusy(true)
    try {
      await onInvoice(orderId)
    } catch (error) {
      console.error('The invoice was not downloaded', error)
    }
    setIsBusy(false)
  }
  return (
    <Button variant="outline" busy={isBusy} aria-describedby={describedBy} onClick={() => void get()}>
      Get Invoice
    </Button>
  )
}
