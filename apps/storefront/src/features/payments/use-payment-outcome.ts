import { useEffect, useState } from 'react'
import { followPayment, type PaymentOutcome } from '#features/payments/follow-payment.ts'

/** What became of a payment, once there is something to do about it. */
export const usePaymentOutcome = (paymentId: string, onOutcome: (outcome: PaymentOutcome) => void) => {
  const [round, setRound] = useState(0)

  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      // Back from the issuer to a page that had stopped asking: it begins again.
      if (persisted) setRound((last) => last + 1)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  // A new round asks again; a new callback does not.
  useEffect(() => {
    const stop = new AbortController()
    void followPayment(paymentId, stop.signal).then((outcome) => {
      // Never twice: of two rounds (React's strict mode starts two) the first one is stopped.
      if (outcome && !stop.signal.aborted) onOutcome(outcome)
    })
    return () => stop.abort()
  }, [paymentId, round])
}
