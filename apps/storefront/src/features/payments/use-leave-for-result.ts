import { useCallback, useEffect, useState } from 'react'
import { resultAddress } from '#lib/result-address.ts'

/**
 * Goes to the page that waits for a payment, as a new document: only that page's content security policy lets a form be
 * sent to the issuer. True while the browser is on its way; `onReturn` is told when it comes back to this very page.
 */
export const useLeaveForResult = (onReturn: () => void) => {
  const [isLeaving, setIsLeaving] = useState(false)

  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setIsLeaving(false)
      onReturn()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [onReturn])

  const leave = useCallback((paymentId: string) => {
    setIsLeaving(true)
    window.location.assign(resultAddress(paymentId))
  }, [])

  return { isLeaving, leave }
}
