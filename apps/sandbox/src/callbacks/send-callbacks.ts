import type { Callbacks } from '#callbacks/callbacks.ts'
import {
  presentCallback,
  presentEarlier,
  presentForgery,
  presentWrongSum,
} from '#callbacks/payment-callback.ts'
import type { Signer } from '#callbacks/payment-update.ts'
import type { Draw } from '#faults/draws.ts'
import type { FaultInjector } from '#faults/fault-injector.ts'
import { CALLBACK_FORMATS, type CallbackFormat, type ShareName, shareOf } from '#faults/faults.ts'
import type { Operation, Payment } from '#payments/payment.ts'

type Needs = {
  callbacks: Callbacks
  faults: FaultInjector
  signer: Signer
  later(work: () => void): void
}

const formatFor = ({ switches, draws }: FaultInjector, paymentId: string): CallbackFormat => {
  if (switches.callbackFormat !== 'mixed') return switches.callbackFormat
  const draw = draws.forPayment(paymentId)('callbackFormat')
  return CALLBACK_FORMATS[Math.floor(draw * CALLBACK_FORMATS.length)] ?? 'merchant'
}

type IsStruck = (name: ShareName) => boolean

const lateness = ({ switches }: FaultInjector, isStruck: IsStruck, draw: Draw): number => {
  const { lateFromMs, lateToMs } = switches
  return isStruck('lateCallbacks') ? lateFromMs + draw('lateness') * (lateToMs - lateFromMs) : 0
}

/** Sends a payment update, in as many ways as the fault switches ask for. */
export const sendCallbacks = (needs: Needs, payment: Payment, operation: Operation): void => {
  const { callbacks, faults, signer, later } = needs
  const { callbackUrl: url, id } = payment
  const { duplicateCallbacks } = faults.switches
  const draw = faults.draws.forNext(id, 'callback')
  const isStruck: IsStruck = (name) => {
    const isHit = draw(name) < shareOf(faults.switches[name])
    if (isHit && (name !== 'duplicateRate' || duplicateCallbacks > 0)) faults.count(name)
    return isHit
  }
  if (!url || isStruck('dropCallbacks')) return

  const update = { payment, operation, format: formatFor(faults, id), signer }
  if (isStruck('forgeCallbacks')) callbacks.sendOnce(url, presentForgery(update))
  if (operation.type === 'sale' && isStruck('wrongSums')) callbacks.sendOnce(url, presentWrongSum(update))
  const text = presentCallback(update)
  const delayMs = lateness(faults, isStruck, draw)
  const copies = isStruck('duplicateRate') ? duplicateCallbacks : 0
  for (let copy = 0; copy < copies; copy++) void callbacks.deliver(id, url, text, delayMs)
  const firstTry = callbacks.deliver(id, url, text, delayMs)
  if (payment.wait || !isStruck('reorderCallbacks')) return
  const earlier = presentEarlier(update)
  void firstTry.then(() => later(() => void callbacks.deliver(id, url, earlier)))
}
