const KEY = 'access_token'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** What a header can carry. Anything else under our key is none of our tokens, and no call could be made with it. */
const TOKEN = /^[\w.~+/=-]{1,500}$/

/** For as long as the page lives, in a browser that stores nothing for us. */
let unstored: string | null = null

const stored = () => {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export const readToken = (): string | null => {
  const token = unstored ?? stored()
  return token !== null && TOKEN.test(token) ? token : null
}

/** The last session of this page was ended by the server, not by its holder. */
let wasEnded = false

export const wasSessionEnded = () => wasEnded

export const storeToken = (token: string) => {
  unstored = null
  wasEnded = false
  try {
    localStorage.setItem(KEY, token)
  } catch {
    unstored = token
  }
  notify()
}

const drop = (isEnded: boolean) => {
  unstored = null
  wasEnded = isEnded
  try {
    localStorage.removeItem(KEY)
  } catch {
    // It was not stored either.
  }
  notify()
}

export const forgetToken = () => drop(false)

/** The server does not know this token any more. Another one that is stored by now stays. */
export const forgetEndedToken = (token: string) => {
  if (token === readToken()) drop(true)
}

/** Calls back for other tabs too: logging out in one logs out all. */
export const onTokenChange = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Whether there is a token, or comes within this time from another tab. */
export const isLoggedInSoon = (patienceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const isIn = () => readToken() !== null
    if (isIn() || patienceMs === 0) return resolve(isIn())
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve(isIn())
    }
    const timer = setTimeout(end, patienceMs)
    const stop = onTokenChange(end)
  })
