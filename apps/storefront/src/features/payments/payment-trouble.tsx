import { Link } from 'wouter'
import type { Trouble } from '#features/payments/use-payment.ts'
import { FormNotice } from '#ui/form-notice.tsx'

export const PaymentTrouble = ({ trouble, takesFocus }: { trouble: Trouble; takesFocus: boolean }) =>
  trouble.kind === 'lost' ? (
    <FormNotice takesFocus={takesFocus} title="We do not know whether the payment started">
      The connection broke. Check your{' '}
      <Link to="/profile?tab=history" className="link">
        payments
      </Link>{' '}
      before you pay again.
    </FormNotice>
  ) : (
    <FormNotice
      takesFocus={takesFocus}
      kind={trouble.kind === 'closed' ? 'warning' : 'problem'}
      title={trouble.message}
    />
  )
