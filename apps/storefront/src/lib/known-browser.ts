import { useSyncExternalStore } from 'react'

/** That someone has an account who uses this browser. Whose, is not kept. */
const KEY = 'known_browser'

const listeners = new Set<() => void>()

const isKnown = () => {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** Someone has opened an account here, or logged in. */
export const noteKnownBrowser = () => {
  if (isKnown()) return
  try {
    localStorage.setItem(KEY, '1')
  } catch {
    // Then everyone is asked to sign up first, and finds the other door beside it.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether to offer Sign In rather than Sign Up; a prerendered page takes everyone for a newcomer. */
export const useKnownBrowser = (): boolean => useSyncExternalStore(subscribe, isKnown, () => false)
