import { useSyncExternalStore } from 'react'

/** As wide as what the styles call `lg`. */
const WIDE = '(min-width: 64rem)'

const subscribe = (listener: () => void) => {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is room for columns. For pages that are not prerendered: a document knows no width. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )
