import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Choice } from '@hedgerow/domain/pricing'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { calculatorPath, orderingPath } from '#features/orders/choice-params.ts'
import { useCreateOrder } from '#features/orders/use-create-order.ts'
import { endArrival, wayIn } from '#lib/going-to.ts'
import { useKnownBrowser } from '#lib/known-browser.ts'
import { messageOf } from '#lib/message-of.ts'
import type { Place } from '#shared/locations-query.ts'
import { useSession } from '#shared/session.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'

/** Each door says which it is; the one that is more likely theirs is the button. */
const Doors = ({ redirectUrl, hasAccount }: { redirectUrl: string; hasAccount: boolean }) => {
  const isKnown = useKnownBrowser() || hasAccount
  const login = wayIn('/login', { redirectUrl })
  const signup = wayIn('/signup', { redirectUrl })
  return (
    <>
      <ButtonLink to={isKnown ? login : signup} className="w-full">
        {isKnown ? 'Log in to buy' : 'Sign up to buy'}
      </ButtonLink>
      <p className="mt-1 text-center text-quiet-ink">
        {isKnown ? 'New here?' : 'Have an account?'}{' '}
        <Link to={isKnown ? signup : login} className="link inline-flex min-h-11 items-center">
          {isKnown ? 'Sign up to buy' : 'Log in to buy'}
        </Link>
      </p>
    </>
  )
}

type BuyButtonProps = {
  choice: Choice
  currency: CurrencyCode
  renew: readonly string[]
  place: Place
  isPending: boolean
  /** The visitor asked for it, and has just logged in: it is ordered as if the button was pressed. */
  isAskedFor: boolean
}

/** A customer orders. A visitor logs in or signs up first, and what was chosen is ordered then. */
export const BuyButton = ({ choice, currency, renew, place, isPending, isAskedFor }: BuyButtonProps) => {
  const { state } = useSession()
  const { create, isBusy, error } = useCreateOrder()
  const isReady = state === 'in' && !isPending

  useEffect(() => {
    if (isAskedFor && isReady && endArrival()) create(choice, currency, renew, place)
  }, [isAskedFor, isReady, create, choice, currency, renew, place])

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
        // Who extends looks at what is extended before ordering it: that is not known before the log-in.
        <Doors
          hasAccount={renew.length > 0}
          redirectUrl={
            renew.length > 0
              ? calculatorPath(choice, currency, renew, place.location)
              : orderingPath(choice, currency, place.location)
          }
        />
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
