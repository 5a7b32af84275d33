const BASE = 'http://here.invalid'

/**
 * The path to go to after logging in, or undefined when what was asked for is not a path of this site.
 * `//host`, `/\host` and control characters are read as another site by browsers; the URL parser reads them alike.
 */
export const safeRedirect = (wanted: string | null | undefined): string | undefined => {
  if (!wanted?.startsWith('/') || wanted.length > 2000) return undefined
  let url: URL
  try {
    url = new URL(wanted, BASE)
  } catch {
    return undefined
  }
  const path = url.pathname + url.search + url.hash
  // The parser folds dots, so what it gives back may begin with two slashes although what was asked for did not.
  if (url.origin !== BASE || path.startsWith('//')) return undefined
  return url.pathname === '/login' || url.pathname === '/signup' ? undefined : path
}
