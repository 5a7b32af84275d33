import { ApiError } from '@hedgerow/contract/client'
import { POLL_EVERY_MS } from '@hedgerow/domain/timings'
import { type NextAction, nextAction } from '#features/payment-result/next-action.ts'
import { api } from '#lib/api.ts'

/** How a payment stands for the page that waits for it. */
export type FollowedAction = NextAction | { kind: 'unknown' }

/** So often a payment may be called unknown before we believe it. */
const UNKNOWN_TRIES = 5
/** A call that hangs is given up, or the status would never be read again. */
const CALL_TIMEOUT_MS = 15_000

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

/** Ends when it is stopped or takes too long. By hand: AbortSignal.any is too new for some phones. */
const readStatus = async (paymentId: string, signal: AbortSignal) => {
  const call = new AbortController()
  const end = () => call.abort()
  const timer = setTimeout(end, CALL_TIMEOUT_MS)
  signal.addEventListener('abort', end)
  try {
    return await api.call('paymentStatus', { params: { paymentId }, signal: call.signal })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** `key` is the same as long as the action is. */
type OnAction = (action: FollowedAction, key: string) => 'continue' | 'stop'

/** Polls a payment's status and reports the next action each time, until it is stopped. A failed call is ignored (spec §4). */
export const followPayment = async (
  paymentId: string,
  signal: AbortSignal,
  onAction: OnAction,
): Promise<void> => {
  let unknown = 0
  while (!signal.aborted) {
    try {
      const reply = await readStatus(paymentId, signal)
      unknown = 0
      // Never after it was stopped: of two that follow (React's strict mode starts two) the first one is.
      if (signal.aborted) return
      if (onAction(nextAction(reply), reply.status + reply.metadata) === 'stop') return
    } catch (error) {
      unknown = error instanceof ApiError && error.status === 404 ? unknown + 1 : 0
      if (unknown >= UNKNOWN_TRIES && !signal.aborted) return void onAction({ kind: 'unknown' }, 'unknown')
    }
    await pause(signal)
  }
}
