import type { PlatformSlug } from '#features/manual/platforms.ts'
import { useHydrated } from '#lib/use-hydrated.ts'

type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** The system that a browser says it runs on; undefined of one that says nothing we know. Routers do not browse. */
export const platformOf = ({ userAgent, maxTouchPoints }: Device): PlatformSlug | undefined => {
  if (/Android/.test(userAgent)) return 'android'
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  // An iPad asks for pages as a Mac does, and no Mac has a touch screen.
  if (/Macintosh/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos'
  if (/Windows/.test(userAgent)) return 'windows'
  if (/Linux/.test(userAgent)) return 'linux'
  return undefined
}

/** The visitor's own system; undefined in a prerendered page, and until it has been taken over. */
export const useVisitorPlatform = (): PlatformSlug | undefined =>
  useHydrated() ? platformOf(navigator) : undefined
