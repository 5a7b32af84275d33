const KEY = 'access_token'

/** The token that the present one goes on from, of the same session. It opens nothing any more. */
const RENEWED = 'renewed_token'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** What a header can carry. Anything else under our key is none of our tokens, and no call could be made with it. */
const TOKEN = /^[\w.~+/=-]{1,500}$/

/** For as long as the page lives, in a browser that stores nothing for us. */
let unstored: string | null = null
let unstoredRenewed: string | null = null

const stored = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const readToken = (): string | null => {
  const token = unstored ?? stored(KEY)
  return token !== null && TOKEN.test(token) ? token : null
}

/** The last session of this page was ended by the server, not by its holder. */
let wasEnded = false

export const wasSessionEnded = () => wasEnded

const write = (key: string, value: string | null) =>
  value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value)

const keep = (token: string | null, renewed: string | null, isEnded: boolean) => {
  unstored = null
  wasEnded = isEnded
  try {
    // First, so that a tab that hears of the new token knows whose it is.
    write(RENEWED, renewed)
    write(KEY, token)
  } catch {
    unstored = token
    unstoredRenewed = renewed
  }
  notify()
}

/** `renewed`: the token of the same session that this one takes the place of. */
export const storeToken = (token: string, renewed: string | null = null) => keep(token, renewed, false)

export const forgetToken = () => keep(null, null, false)

/** The server does not know this token any more. Another one that is stored by now stays. */
export const forgetEndedToken = (token: string) => {
  if (token === readToken()) keep(null, null, true)
}

/** Whether the present token goes on from this one: the same session of the same account. */
export const isRenewed = (token: string): boolean =>
  token === (unstored === null ? stored(RENEWED) : unstoredRenewed)

/** Calls back for other tabs too: logging out in one logs out all. */
export const onTokenChange = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
