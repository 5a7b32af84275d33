import { ApiError } from '@hedgerow/contract/client'
import { POLL_EVERY_MS } from '@hedgerow/domain/timings'
import { type NextStep, nextStep } from '#features/payments/next-step.ts'
import { paymentStatus } from '#features/payments/payment-status.ts'

export type PaymentStep = NextStep | { kind: 'unknown' }

/** So often a payment may be called unknown before we believe it. */
const UNKNOWN_TRIES = 5
/** A call that hangs is given up, or nothing would ever be asked again. */
const PATIENCE_MS = 15_000

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, POLL_EVERY_MS)
    signal.addEventListener('abort', end)
  })

/** Asks once, until it is stopped or patience ends. By hand: AbortSignal.any is too new for some phones. */
const ask = async (paymentId: string, signal: AbortSignal) => {
  const call = new AbortController()
  const end = () => call.abort()
  const timer = setTimeout(end, PATIENCE_MS)
  signal.addEventListener('abort', end)
  try {
    return await paymentStatus(paymentId, call.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/**
 * Asks how a payment stands, and tells each answer with the text by which it is known again, until it is told to stop.
 * A call that fails is ignored (spec §4).
 */
export const followPayment = async (
  paymentId: string,
  signal: AbortSignal,
  tell: (step: PaymentStep, text: string) => 'go on' | 'stop',
): Promise<void> => {
  let unknown = 0
  while (!signal.aborted) {
    try {
      const reply = await ask(paymentId, signal)
      unknown = 0
      // Never after it was stopped: of two that follow (React's strict mode starts two) the first one is.
      if (signal.aborted) return
      if (tell(nextStep(reply), reply.status + reply.metadata) === 'stop') return
    } catch (error) {
      unknown = error instanceof ApiError && error.status === 404 ? unknown + 1 : 0
      if (unknown >= UNKNOWN_TRIES && !signal.aborted) return void tell({ kind: 'unknown' }, 'unknown')
    }
    await pause(signal)
  }
}
