import { useSyncExternalStore } from 'react'

/** One move through the shop; each is an object of its own, so that a second move to the same address is told apart. */
export type Step = { readonly cameBack: boolean }

const FIRST: Step = { cameBack: true }

let step = FIRST
const listeners = new Set<() => void>()

const take = (cameBack: boolean) => () => {
  step = { cameBack }
  for (const tell of listeners) tell()
}

if (typeof window !== 'undefined') {
  // Listened to before the router does, so that whoever renders for a new address finds the step that led there.
  addEventListener('popstate', take(true))
  // The router tells of these two.
  addEventListener('pushState', take(false))
  addEventListener('replaceState', take(false))
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** The last move: going back, forward or arriving from outside, or following a link. */
export const useStep = (): Step =>
  useSyncExternalStore(
    subscribe,
    () => step,
    () => FIRST,
  )
