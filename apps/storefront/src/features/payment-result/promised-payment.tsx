import { PROMISE_DAYS } from '@hedgerow/domain/payment-status'
import { ButtonLink } from '@hedgerow/ui/button.tsx'

type PromisedPaymentProps = {
  again: string | undefined
  /** The network has seen it; a block has to confirm it. */
  isCrypto: boolean
}

/** For a customer whose money is promised: nothing is to be done, and nothing to be waited for on the page. */
export const PromisedPayment = ({ again, isCrypto }: PromisedPaymentProps) => (
  <div className="rounded-card border border-line bg-surface p-5 text-left">
    <p>
      {isCrypto
        ? 'Your payment is on its way. The Bitcoin network has to confirm it, which usually takes from ten minutes to an hour.'
        : `Your bank has promised us the money. It may take up to ${PROMISE_DAYS} days to arrive.`}{' '}
      Your connections will then appear in your profile, and we will email you. You can close this page.
    </p>
    {!isCrypto && (
      <p className="mt-1 text-quiet-ink">
        If you do not want to wait, pay another way. If both arrive, we refund one.
      </p>
    )}
    {again && !isCrypto && (
      <ButtonLink to={again} variant="outline" className="mt-4 w-full">
        Pay another way
      </ButtonLink>
    )}
  </div>
)
