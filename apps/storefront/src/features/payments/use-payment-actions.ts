import { useCallback, useEffect, useRef, useState } from 'react'
import { followPayment, type PaymentStep } from '#features/payments/follow-payment.ts'
import { sendForm, sendIntoFrame } from '#features/payments/send-form.ts'

type Outcome = Extract<PaymentStep, { kind: 'success' | 'reject' }>

/** What the page shows, and the text by which an answer is known again. */
type Shown = { step: Exclude<PaymentStep, Outcome>; text: string }

const WAITING: Shown = { step: { kind: 'wait' }, text: '' }

/** By the browser's own button: whoever was sent away and goes back must not be sent away again. */
const hasGoneBack = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward')

type Options = {
  paymentId: string
  /** The bank has sent the customer back to this page. */
  hasReturned: boolean
  onOutcome: (outcome: Outcome) => void
}

/**
 * Follows a payment and does what it asks for, as far as that needs nobody. Who has come back from a page to which they
 * were sent is not sent there again by itself; to another one they are.
 */
export const usePaymentSteps = ({ paymentId, hasReturned, onOutcome }: Options) => {
  const [shown, setShown] = useState(WAITING)
  const [round, setRound] = useState(0)
  /** The last page to which the customer was sent; 'unsaid' where an earlier document did it. */
  const left = useRef<string>(undefined)
  const framed = useRef<string>(undefined)
  const outcome = useRef(onOutcome)
  useEffect(() => {
    outcome.current = onOutcome
  })

  useEffect(() => {
    left.current = hasReturned || hasGoneBack() ? 'unsaid' : undefined
  }, [hasReturned])

  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      // Back from the issuer to a page that had stopped asking: it begins again.
      if (persisted) setRound((last) => last + 1)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  // A new round asks again at once.
  useEffect(() => {
    const stop = new AbortController()
    const takeAway: (() => void)[] = []
    void followPayment(paymentId, stop.signal, (step, text) => {
      if (step.kind === 'success' || step.kind === 'reject') {
        outcome.current(step)
        return 'stop'
      }
      if (step.kind === 'send' && left.current !== text) {
        const isNew = left.current !== 'unsaid'
        left.current = text
        if (isNew) {
          sendForm(step.form)
          return 'stop'
        }
      }
      // Whatever came in between, the next page is another one.
      if (step.kind !== 'send' && left.current === 'unsaid') left.current = undefined
      if (step.kind === 'frame' && framed.current !== text) {
        framed.current = text
        takeAway.push(sendIntoFrame(step.form))
      }
      setShown((last) => (last.text === text ? last : { step, text }))
      return step.kind === 'unknown' ? 'stop' : 'go on'
    })
    return () => {
      stop.abort()
      for (const take of takeAway) take()
    }
  }, [paymentId, round])

  /** What was asked has been answered: it is out of sight, and the status is asked for at once. */
  const goOn = useCallback(() => {
    setShown(WAITING)
    setRound((last) => last + 1)
  }, [])

  return { shown, goOn }
}
