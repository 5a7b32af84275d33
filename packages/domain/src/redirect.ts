const BASE = 'http://here.invalid'
/** Longer than the address of any page of ours. */
export const MAX_REDIRECT = 2000

/** The pages for logging in: after it they are no aim, nor is a link to another account. */
const WAY_IN =
  /^\/(?:login|signup|confirm|confirm-failed|result|forgot|reset|reset-success|reset-failed)(?:\/|$)/i

/** As the router reads an address before it looks which page it is; undefined when it cannot be read. */
const asRouted = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}

/**
 * The path to go to after logging in, or undefined when what was asked for is not a path of this site.
 * `//host`, `/\host` and control characters are read as another site by browsers; the URL parser reads them alike.
 */
export const safeRedirect = (wanted: string | null | undefined): string | undefined => {
  if (!wanted?.startsWith('/') || wanted.length > MAX_REDIRECT) return undefined
  let url: URL
  try {
    url = new URL(wanted, BASE)
  } catch {
    return undefined
  }
  const path = url.pathname + url.search + url.hash
  // The parser folds dots, so what it gives back may begin with two slashes although what was asked for did not.
  if (url.origin !== BASE || path.startsWith('//')) return undefined
  const page = asRouted(url.pathname)
  if (page === undefined || WAY_IN.test(page)) return undefined
  // It also writes some characters as several.
  return path.length > MAX_REDIRECT ? undefined : path
}
