import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Choice } from '@hedgerow/domain/pricing'
import { calculatorPath } from '#features/orders/choice-params.ts'
import { useCreateOrder } from '#features/orders/use-create-order.ts'
import { messageOf } from '#lib/message-of.ts'
import type { Place } from '#shared/locations-query.ts'
import { useSession } from '#shared/session.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'

type BuyButtonProps = {
  choice: Choice
  currency: CurrencyCode
  renew: readonly string[]
  place: Place
  isPending: boolean
}

/** A customer orders; a visitor logs in first and comes back to the same choice. */
export const BuyButton = ({ choice, currency, renew, place, isPending }: BuyButtonProps) => {
  const { state } = useSession()
  const { create, isBusy, error } = useCreateOrder()
  const login = `/login?redirectUrl=${encodeURIComponent(calculatorPath(choice, currency, renew, place.location))}`
  return (
    <>
      {error && (
        <Notice kind="problem" title="The order was not made" className="mb-4">
          {messageOf(error)}
        </Notice>
      )}
      {state === 'out' && renew.length > 0 && (
        <p className="mb-3 text-quiet-ink">
          Log in to extend {renew.length === 1 ? 'your connection' : 'your connections'}.
        </p>
      )}
      {state === 'out' ? (
        <ButtonLink to={login} className="w-full">
          Log in to buy
        </ButtonLink>
      ) : (
        <Button
          className="w-full"
          busy={isBusy || isPending || state === 'loading'}
          onClick={() => create(choice, currency, renew, place)}
        >
          Buy
        </Button>
      )}
    </>
  )
}
