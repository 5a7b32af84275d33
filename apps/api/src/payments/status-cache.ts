import type { PaymentStatusReply } from '@hedgerow/contract/payments'

type Read = (paymentId: string) => Promise<PaymentStatusReply | undefined>

export type StatusCache = {
  get: Read
  /** The payment has changed: what is remembered of it is forgotten. */
  forget: (paymentId: string) => void
  /** While changes cannot be heard nothing is remembered. */
  setListening: (isListening: boolean) => void
}

const MOST = 20_000

/**
 * Customers who wait ask twice a second. Their answers come from memory, which is kept right by the database's own
 * notifications; the database is read once per change, however many ask.
 */
export const createStatusCache = (read: Read): StatusCache => {
  const known = new Map<string, PaymentStatusReply>()
  const reading = new Map<string, ReturnType<Read>>()
  let isListening = false

  const readOnce: Read = (paymentId) => {
    const already = reading.get(paymentId)
    if (already) return already
    const started = read(paymentId).finally(() => {
      if (reading.get(paymentId) === started) reading.delete(paymentId)
    })
    reading.set(paymentId, started)
    return started
  }

  return {
    get: async (paymentId) => {
      const remembered = known.get(paymentId)
      if (remembered) return remembered
      const started = readOnce(paymentId)
      // A change that is heard while we read makes what we read old: then it is answered, but not remembered.
      const isCurrent = () => reading.get(paymentId) === started
      const reply = await started.then((value) => {
        if (value && isListening && isCurrent()) known.set(paymentId, value)
        return value
      })
      if (known.size > MOST) known.delete(known.keys().next().value ?? '')
      return reply
    },
    forget: (paymentId) => {
      known.delete(paymentId)
      reading.delete(paymentId)
    },
    setListening: (value) => {
      isListening = value
      known.clear()
      reading.clear()
    },
  }
}
