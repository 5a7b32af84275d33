const KEY = 'reloaded-at'
/** A page that misses a file again so soon will not find it by being reloaded. */
const NOT_AGAIN_MS = 600_000

const missing = new WeakSet<Error>()

if (typeof window !== 'undefined')
  // Known by what the build puts around each import, before the import fails.
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown }
    if (payload instanceof Error) missing.add(payload)
  })

/** Whether a failure was that of fetching a part of the page: often a version that is no longer served. */
export const isMissingFile = (error: unknown): boolean => error instanceof Error && missing.has(error)

/** Where the tab can note nothing, nothing would keep it from going round. */
const mayReload = (): boolean => {
  try {
    const last = Number(sessionStorage.getItem(KEY))
    if (Math.abs(Date.now() - last) < NOT_AGAIN_MS) return false
    sessionStorage.setItem(KEY, String(Date.now()))
    return sessionStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** Without a network the browser would show a page of its own, and what is there would be gone. */
const isReached = () =>
  fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Loads the page anew, once: the document then names files that there are. Resolves to whether it does. */
export const reloadOnce = async (): Promise<boolean> => {
  if (!(await isReached()) || !mayReload()) return false
  window.location.reload()
  return true
}
