import type { AroundNavHandler } from 'wouter'
import { findRoute } from '#app/find-route.ts'
import type { LeaveOptions } from '#lib/navigation.ts'

let last = 0

/** Goes to a page once its code is there, so that the page before it stays in sight meanwhile. The last wish wins. */
export const navigateWhenLoaded: AroundNavHandler = (navigate, to, options?: LeaveOptions) => {
  const wish = ++last
  const { isLoaded, preload } = findRoute(new URL(String(to), window.location.href).pathname)
  const leave = () => {
    if (options?.leftAs) navigate(options.leftAs, { replace: true })
    navigate(to, options)
  }
  if (isLoaded()) return leave()
  // A page that cannot be fetched is navigated to all the same: it is there that the failure is shown.
  const arrive = () => wish === last && leave()
  void preload().then(arrive, arrive)
}
