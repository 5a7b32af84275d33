import { useCallback, useSyncExternalStore } from 'react'

/** A choice for this browser, for every account there: who looks over one's shoulder does so at a desk. */
const KEY = 'hide_codes'

const listeners = new Set<() => void>()
/** For as long as the page lives, in a browser that stores nothing for us. */
let unstored = false

const read = () => {
  try {
    return unstored || localStorage.getItem(KEY) === '1'
  } catch {
    return unstored
  }
}

const write = (isHidden: boolean) => {
  unstored = false
  try {
    if (isHidden) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    unstored = isHidden
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether codes wait to be asked for, and how to change that. */
export const useHiddenCodes = (): [boolean, (isHidden: boolean) => void] => [
  useSyncExternalStore(subscribe, read, () => false),
  useCallback(write, []),
]
