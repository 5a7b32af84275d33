import type { SecondStepNeeded } from '@hedgerow/contract/accounts'
import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useHydrated } from '#lib/use-hydrated.ts'

/** A log-in that waits for its second step, and whose it is. */
export type WaitingStep = SecondStepNeeded['secondStep'] & { email: string }

type State = { waitingStep?: WaitingStep } | null

/**
 * Kept with the entry of the history: a reload shows the second step again, and the back button leads from it to the
 * email and the password.
 */
export const useWaitingStep = () => {
  const [pathname, navigate] = useLocation()
  const search = useSearch()
  const state = useHistoryState<State>()
  const here = pathname + (search && `?${search}`)
  return {
    // A prerendered page knows nothing of what the browser remembers.
    waiting: useHydrated() ? (state?.waitingStep ?? undefined) : undefined,
    wait: (waitingStep: WaitingStep) => navigate(here, { state: { waitingStep, keepsFocus: true } }),
    stopWaiting: () => navigate(here, { replace: true, state: { keepsFocus: true } }),
  }
}
