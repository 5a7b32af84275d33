import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Choice } from '@hedgerow/domain/pricing'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Link } from 'wouter'
import { calculatorPath, orderingPath } from '#features/orders/choice-params.ts'
import { wayIn } from '#lib/going-to.ts'
import { useKnownBrowser } from '#lib/known-browser.ts'
import type { Place } from '#shared/locations-query.ts'

export type Wanted = { choice: Choice; currency: CurrencyCode; renew: readonly string[]; place: Place }

/** Two ways in, the likelier first. Who extends has an account, and looks at what is extended before ordering it. */
const useDoors = ({ choice, currency, renew, place }: Wanted) => {
  const isExtending = renew.length > 0
  const isKnown = useKnownBrowser() || isExtending
  const redirectUrl = isExtending
    ? calculatorPath(choice, currency, renew, place.location)
    : orderingPath(choice, currency, place)
  const login = { to: wayIn('/login', { redirectUrl }), label: 'Log in to buy' }
  const signup = { to: wayIn('/signup', { redirectUrl }), label: 'Sign up to buy' }
  return isKnown
    ? { likely: login, other: signup, question: 'New here?' }
    : { likely: signup, other: login, question: 'Have an account?' }
}

/** The button of a visitor: it says which way in it is. */
export const LikelyDoor = (wanted: Wanted) => {
  const { likely } = useDoors(wanted)
  return (
    <ButtonLink to={likely.to} className="w-full">
      {likely.label}
    </ButtonLink>
  )
}

/** For who is the other kind of visitor. */
export const OtherDoor = (wanted: Wanted) => {
  const { other, question } = useDoors(wanted)
  return (
    <p className="text-center text-quiet-ink">
      <span>{question}</span>{' '}
      <Link to={other.to} className="link inline-flex min-h-11 items-center">
        {other.label}
      </Link>
    </p>
  )
}
