import { useMemo } from 'react'
import { useHydrated } from '#lib/use-hydrated.ts'

export type Platform = 'windows' | 'macos' | 'linux' | 'ios' | 'android'

type Clues = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** What a page runs on, as its browser tells. Undefined where it names none that we know. */
export const platformOf = ({ userAgent, maxTouchPoints }: Clues): Platform | undefined => {
  // Its browsers name Linux, too.
  if (/Android/i.test(userAgent)) return 'android'
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  // An iPad passes for a Mac, but no Mac can be touched.
  if (/Macintosh/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos'
  if (/Windows/.test(userAgent)) return 'windows'
  return /Linux|X11|CrOS/.test(userAgent) ? 'linux' : undefined
}

/** The same once the page is taken over: a prerendered one was made for every device. */
export const usePlatform = (): Platform | undefined => {
  const isHydrated = useHydrated()
  return useMemo(() => (isHydrated ? platformOf(navigator) : undefined), [isHydrated])
}
