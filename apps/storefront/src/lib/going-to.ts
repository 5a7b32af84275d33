import { safeRedirect } from '@hedgerow/domain/redirect'
import { useHistoryState } from 'wouter/use-browser-location'
import { useHydrated } from '#lib/use-hydrated.ts'
import { usePageSearch } from '#lib/use-page-search.ts'

/** The page of the shop that the address names to go on to after logging in. */
export const useGoingTo = (): string | undefined => safeRedirect(usePageSearch().get('redirectUrl'))

type Destination = { redirectUrl?: string | undefined; email?: string | undefined }

/** A page of the way in, told where it leads, and whose address to fill in. */
export const wayIn = (path: string, { redirectUrl, email }: Destination): string => {
  const params = new URLSearchParams({
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(email === undefined ? {} : { email }),
  }).toString()
  return params ? `${path}?${params}` : path
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The same, handed on by the page before, where the address has no room for it. */
export const useHandedOn = (): Destination => {
  const state = useHistoryState<Record<keyof Destination, unknown> | null>()
  // A prerendered page knows nothing of what the browser remembers.
  if (!useHydrated()) return {}
  return { redirectUrl: safeRedirect(textIn(state?.redirectUrl)), email: textIn(state?.email) }
}

/** In memory, so that it is over with the page: no reload, no other tab and no link carries it on. */
let arrivingAt: string | undefined

/** Someone has just logged in here to go on to this page. */
export const arriveAt = (path: string) => {
  arrivingAt = path
}

/** Whether the page at this address is where a log-in leads that was made a moment ago. */
export const isArrivingAt = (path: string): boolean => arrivingAt === path

/** They have arrived. True once: what was to be done for them on arrival is done by who is told so. */
export const endArrival = (): boolean => {
  const isFirst = arrivingAt !== undefined
  arrivingAt = undefined
  return isFirst
}
