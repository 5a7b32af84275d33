import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in the prerendered page and while it is taken over, true after: for what a prerendered page cannot know. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
