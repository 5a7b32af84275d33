import type { Draw } from '#faults/draws.ts'
import type { Callbacks } from '#gateway/callbacks.ts'
import { CALLBACK_FORMATS, type CallbackFormat, type ShareName, shareOf } from '#gateway/faults.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { Operation, Payment } from '#gateway/payment.ts'
import {
  presentCallback,
  presentEarlier,
  presentForgery,
  presentWrongSum,
} from '#gateway/payment-callback.ts'

const formatFor = ({ faults, draws }: Gateway, paymentId: string): CallbackFormat => {
  if (faults.callbackFormat !== 'mixed') return faults.callbackFormat
  const draw = draws.forPayment(paymentId)('callbackFormat')
  return CALLBACK_FORMATS[Math.floor(draw * CALLBACK_FORMATS.length)] ?? 'merchant'
}

const lateness = ({ faults }: Gateway, isStruck: (name: ShareName) => boolean, draw: Draw): number => {
  const { lateFromMs, lateToMs } = faults
  return isStruck('lateCallbacks') ? lateFromMs + draw('lateness') * (lateToMs - lateFromMs) : 0
}

/** Sends the update of an operation, in as many ways as the fault switches ask for. */
export const tellMerchant = (
  gateway: Gateway,
  callbacks: Callbacks,
  payment: Payment,
  operation: Operation,
): void => {
  const { callbackUrl: url, id } = payment
  const draw = gateway.draws.forNext(id, 'callback')
  const isStruck = (name: ShareName) => {
    const isHit = draw(name) < shareOf(gateway.faults[name])
    if (isHit && (name !== 'duplicateRate' || gateway.faults.duplicateCallbacks > 0)) gateway.countFault(name)
    return isHit
  }
  if (!url || isStruck('dropCallbacks')) return

  const format = formatFor(gateway, id)
  const update = { payment, operation, format, signer: gateway.settings }
  if (isStruck('forgeCallbacks')) callbacks.sendOnce(url, presentForgery(update))
  if (operation.type === 'sale' && isStruck('wrongSums')) callbacks.sendOnce(url, presentWrongSum(update))
  const text = presentCallback(update)
  const delayMs = lateness(gateway, isStruck, draw)
  const copies = isStruck('duplicateRate') ? gateway.faults.duplicateCallbacks : 0
  for (let copy = 0; copy < copies; copy++) void callbacks.deliver(id, url, text, delayMs)
  const isTold = callbacks.deliver(id, url, text, delayMs)
  if (payment.wait || !isStruck('reorderCallbacks')) return
  const earlier = presentEarlier(update)
  void isTold.then(() => gateway.later(() => void callbacks.deliver(id, url, earlier)))
}
