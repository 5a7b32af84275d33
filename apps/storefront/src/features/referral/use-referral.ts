import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { keptReferral, onReferralKept, referralIn, withReferral } from '#features/referral/referral.ts'
import { useHydrated } from '#lib/use-hydrated.ts'

const nothing = () => undefined

/** The code by which the visitor came. It is put into the address too, where it outlives a reload of the form. */
export const useReferral = (): string | undefined => {
  const [pathname, navigate] = useLocation()
  const search = useSearch()
  const state = useHistoryState()
  const isHydrated = useHydrated()
  const inAddress = referralIn(search)
  const kept = useSyncExternalStore(onReferralKept, keptReferral, nothing)
  const code = isHydrated ? (inAddress ?? kept) : undefined

  useEffect(() => {
    if (!code || inAddress) return
    navigate(pathname + withReferral(search, code), { replace: true, state })
  }, [code, inAddress, pathname, search, state, navigate])
  return code
}
