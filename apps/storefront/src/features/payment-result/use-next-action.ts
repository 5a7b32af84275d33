import { useCallback, useEffect, useRef, useState } from 'react'
import { type FollowedAction, followPayment } from '#features/payment-result/follow-payment.ts'
import { submitForm, submitIntoFrame } from '#features/payment-result/hidden-form.ts'

type Outcome = Extract<FollowedAction, { kind: 'success' | 'reject' }>

/** What the page shows, and the key by which the same action is known again. */
type Current = { action: Exclude<FollowedAction, Outcome>; key: string }

const WAITING: Current = { action: { kind: 'wait' }, key: '' }

/** A redirect of which only that it happened is known: an earlier document did it. */
const BY_EARLIER_DOCUMENT = 'by-earlier-document'

/** By the browser's own button: a customer who was redirected and goes back must not be redirected again. */
const hasGoneBack = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward')

/** Counts up whenever the status is to be read anew. */
const useRestarts = () => {
  const [restarts, setRestarts] = useState(0)
  const restart = useCallback(() => setRestarts((count) => count + 1), [])
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      // Back from the issuer to a page that had stopped polling: it begins again.
      if (persisted) restart()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [restart])
  return { restarts, restart }
}

type Options = {
  paymentId: string
  /** The bank has sent the customer back to this page. */
  hasReturned: boolean
  onOutcome: (outcome: Outcome) => void
}

/**
 * Follows a payment and takes each next action that needs no answer. A customer who has come back from a page to which
 * they were redirected is not sent there again by itself; to another one they are.
 */
export const useNextAction = ({ paymentId, hasReturned, onOutcome }: Options) => {
  const [current, setCurrent] = useState(WAITING)
  const { restarts, restart } = useRestarts()
  const lastRedirect = useRef<string>(undefined)
  const lastDeviceCheck = useRef<string>(undefined)
  const outcome = useRef(onOutcome)
  useEffect(() => {
    outcome.current = onOutcome
  })

  useEffect(() => {
    lastRedirect.current = hasReturned || hasGoneBack() ? BY_EARLIER_DOCUMENT : undefined
  }, [hasReturned])

  // A restart reads the status at once.
  useEffect(() => {
    const stop = new AbortController()
    const removals: (() => void)[] = []
    void followPayment(paymentId, stop.signal, (action, key) => {
      if (action.kind === 'success' || action.kind === 'reject') {
        outcome.current(action)
        return 'stop'
      }
      if (action.kind === 'redirect' && lastRedirect.current !== key) {
        const isNew = lastRedirect.current !== BY_EARLIER_DOCUMENT
        lastRedirect.current = key
        if (isNew) {
          submitForm(action.form)
          return 'stop'
        }
      }
      // Whatever came in between, the next page is another one.
      if (action.kind !== 'redirect' && lastRedirect.current === BY_EARLIER_DOCUMENT)
        lastRedirect.current = undefined
      if (action.kind === 'device-check' && lastDeviceCheck.current !== key) {
        lastDeviceCheck.current = key
        removals.push(submitIntoFrame(action.form))
      }
      setCurrent((last) => (last.key === key ? last : { action, key }))
      return action.kind === 'unknown' ? 'stop' : 'continue'
    })
    return () => {
      stop.abort()
      for (const remove of removals) remove()
    }
  }, [paymentId, restarts])

  /** The question has been answered: it is out of sight, and the status is read at once. */
  const resume = useCallback(() => {
    setCurrent(WAITING)
    restart()
  }, [restart])

  return { ...current, resume }
}
