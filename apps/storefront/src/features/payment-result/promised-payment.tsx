import { PROMISE_DAYS } from '@hedgerow/domain/payment-status'
import { ButtonLink } from '@hedgerow/ui/button.tsx'

/** For a customer whose bank has promised the money: nothing is to be done, and nothing to be waited for on the page. */
export const PromisedPayment = ({ again }: { again: string | undefined }) => (
  <div className="rounded-card border border-line bg-surface p-5 text-left">
    <p>
      Your bank has promised us the money. It may take up to {PROMISE_DAYS} days to arrive. Your connections
      will then appear in your profile, and we will email you. You can close this page.
    </p>
    <p className="mt-1 text-quiet-ink">
      If you do not want to wait, pay another way. If both arrive, we refund one.
    </p>
    {again && (
      <ButtonLink to={again} variant="outline" className="mt-4 w-full">
        Pay another way
      </ButtonLink>
    )}
  </div>
)
