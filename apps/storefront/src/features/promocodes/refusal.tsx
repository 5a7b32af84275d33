import { ApiError } from '@hedgerow/contract/client'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { PaymentResultLink } from '#shared/payment-result-link.tsx'

/** Why a code was not taken or removed. */
export type Refusal = {
  message: string
  /** The attempt under way that keeps the code as it is. */
  paymentId?: string | undefined
}

/** A code that was not taken, and why. */
export type RefusedCode = Refusal & { promocode: string }

/** In the server's words: those of the field, if there are any. */
export const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof ApiError)) return { message: messageOf(error) }
  const { code, errors, paymentId } = error.problem
  if (code === 'payment-under-way') {
    const message =
      'A payment for this order is under way. Continue with that payment, or end it there and then change the code.'
    return { message, paymentId }
  }
  return { message: errors?.find(({ path }) => path === 'promocode')?.message ?? messageOf(error) }
}

/** The message, and a link to the payment that is in the way. */
export const RefusalMessage = ({ message, paymentId }: Refusal) => (
  <>
    <span>{message}</span>
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
