import { wayIn } from '#lib/going-to.ts'
import { useKnownBrowser } from '#lib/known-browser.ts'
import { useHydrated } from '#lib/use-hydrated.ts'
import { useSession } from '#shared/session.tsx'

/** Where to buy a plan. A newcomer signs up for it first: the checkout would send them to log in. */
export const usePlanPath = (planId: string): string => {
  const checkout = `/payment/checkout/${planId}`
  const isKnown = useKnownBrowser()
  const { state } = useSession()
  // The page that was written to a file is read by everyone.
  const isHydrated = useHydrated()
  const isNewcomer = isHydrated && !isKnown && state === 'out'
  return isNewcomer ? wayIn('/signup', { redirectUrl: checkout }) : checkout
}
