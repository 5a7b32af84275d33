import { useEffect, useState } from 'react'
import { tokenOf } from '#lib/use-link-token.ts'

const KEY = 'link_token'

const tokenInAddress = () => tokenOf(window.location.hash)

/** As long as this tab is open: the page may be reloaded, and come back to. */
const keep = (token: string) => {
  try {
    sessionStorage.setItem(KEY, token)
  } catch {
    // A browser that stores nothing for us shows the page once.
  }
}

const kept = () => {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

/**
 * What follows the # in the address. It is taken out of it at once: nobody who looks over the history of this browser later
 * shall find it. A second link opened in the same window is taken as well. Not for a prerendered page.
 */
export const useShareToken = (): string => {
  const [token, setToken] = useState(() => tokenInAddress() || kept())
  useEffect(() => {
    const take = () => {
      const found = tokenInAddress()
      if (!found) return
      setToken(found)
      keep(found)
      history.replaceState(history.state, '', window.location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}
