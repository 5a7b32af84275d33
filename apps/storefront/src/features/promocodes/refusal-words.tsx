import type { Refusal } from '#features/promocodes/refusal-of.ts'
import { PaymentResultLink } from '#shared/payment-result-link.tsx'

/** Why a code was not taken or removed, and the way to the payment that is in the way. */
export const RefusalWords = ({ message, paymentId }: Refusal) => (
  <>
    {message}
    {paymentId && (
      <>
        {' '}
        <PaymentResultLink paymentId={paymentId} className="link">
          Go to that payment
        </PaymentResultLink>
      </>
    )}
  </>
)
