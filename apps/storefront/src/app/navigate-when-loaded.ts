import type { AroundNavHandler } from 'wouter'
import { findRoute } from '#app/find-route.ts'

let last = 0

/** Goes to a page once its code is there, so that the page before it stays in sight meanwhile. The last wish wins. */
export const navigateWhenLoaded: AroundNavHandler = (navigate, to, options) => {
  const wish = ++last
  const { isLoaded, preload } = findRoute(new URL(String(to), window.location.href).pathname)
  if (isLoaded()) return navigate(to, options)
  // A page that cannot be fetched is navigated to all the same: it is there that the failure is shown.
  const arrive = () => wish === last && navigate(to, options)
  void preload().then(arrive, arrive)
}
