import { type ReactNode, useSyncExternalStore } from 'react'

let shown: ReactNode = null
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows it beside the pages, whichever is open, until something else or nothing is shown. */
export const showOverlay = (what: ReactNode): void => {
  shown = what
  for (const listener of listeners) listener()
}

export const Overlay = (): ReactNode =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  )
