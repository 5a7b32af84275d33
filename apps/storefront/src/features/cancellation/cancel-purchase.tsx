import { useState } from 'react'
import { CancelPayment } from '#features/cancellation/cancel-payment.tsx'
import { ChoosePayment } from '#features/cancellation/choose-payment.tsx'
import { usePayments } from '#shared/use-payments.ts'

type CancelPurchaseProps = { paymentIds: readonly string[]; onClose: () => void }

/** Cancels one of these payments: the only one, or the one that is chosen. */
export const CancelPurchase = ({ paymentIds, onClose }: CancelPurchaseProps) => {
  const [only] = paymentIds.length === 1 ? paymentIds : []
  const [chosen, setChosen] = useState(only)
  const payments = usePayments((all) => paymentIds.every((id) => all.some(({ _id }) => _id === id)))
  if (chosen === undefined)
    return (
      <ChoosePayment payments={payments} paymentIds={paymentIds} onChoose={setChosen} onClose={onClose} />
    )
  const payment = payments.data?.find(({ _id }) => _id === chosen)
  return <CancelPayment paymentId={chosen} payment={payment} onClose={onClose} />
}
