import { useSyncExternalStore } from 'react'
import type { NavigateOptions } from 'wouter'

/** A navigation within the shop; each is an object of its own, so that a second one to the same address is another. */
export type Navigation = { readonly cameBack: boolean }

/** `leftAs`: the address under which the page that is left can be come back to; it is set when it is left, not before. */
export type LeaveOptions = NavigateOptions & { leftAs?: string }

const FIRST: Navigation = { cameBack: true }

let last = FIRST
const listeners = new Set<() => void>()

const record = (cameBack: boolean) => () => {
  last = { cameBack }
  for (const listener of listeners) listener()
}

if (typeof window !== 'undefined') {
  // Listened to before the router does, so that what renders for a new address finds the navigation that led there.
  addEventListener('popstate', record(true))
  // The router dispatches these two.
  addEventListener('pushState', record(false))
  addEventListener('replaceState', record(false))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The last navigation: back, forward or from outside, or by a link. */
export const useLastNavigation = (): Navigation =>
  useSyncExternalStore(
    subscribe,
    () => last,
    () => FIRST,
  )
