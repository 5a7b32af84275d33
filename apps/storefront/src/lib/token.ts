const KEY = 'access_token'

const listeners = new Set<() => void>()
const announce = () => {
  for (const listener of listeners) listener()
}

export const readToken = (): string | null => localStorage.getItem(KEY)

export const storeToken = (token: string) => {
  localStorage.setItem(KEY, token)
  announce()
}

/** Forgets the token; when one is given, only if that one is still the stored one. */
export const forgetToken = (token?: string) => {
  if (token !== undefined && token !== readToken()) return
  localStorage.removeItem(KEY)
  announce()
}

/** Also hears of other tabs: logging out in one logs out all. */
export const onTokenChange = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
