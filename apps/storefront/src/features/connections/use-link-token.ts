import { useEffect, useState } from 'react'

const tokenInAddress = () => window.location.hash.slice(1)

/**
 * What follows the # in the address. It is taken out of it at once: whoever looks over the history of this browser later
 * shall not find it. A second link opened in the same window is taken as well. Not for a prerendered page.
 */
export const useLinkToken = (): string => {
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    const take = () => {
      const found = tokenInAddress()
      if (!found) return
      setToken(found)
      history.replaceState(history.state, '', window.location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}
