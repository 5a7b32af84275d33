import { type SaleFault, shareOf } from '#gateway/faults.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import type { Gateway } from '#gateway/gateway.ts'

/** What happens to one call, counted. */
export const faultOfCall = (gateway: Gateway, call: GateCall, paymentId: string): SaleFault => {
  const fault = drawFault(gateway, call, paymentId)
  if (fault !== 'none') gateway.countFault(`call: ${fault}`)
  return fault
}

/** The switches for sales are asked first, then those for every call. */
const drawFault = (gateway: Gateway, call: GateCall, paymentId: string): SaleFault => {
  const { faults } = gateway
  const draw = gateway.draws.forNext(paymentId, call.path)
  if (call.isSale && draw('sale') < shareOf(faults.failRate) && faults.failSales !== 'none') {
    return faults.failSales
  }
  const shares: [SaleFault, number][] = [
    ['500', shareOf(faults.failCalls)],
    ['hang', shareOf(faults.hangCalls)],
    ['drop-before-accept', shareOf(faults.dropCallsBeforeAccept)],
    ['drop-after-accept', shareOf(faults.dropCallsAfterAccept)],
  ]
  // One draw for all of them, so that their shares add up.
  let left = draw('call')
  for (const [fault, share] of shares) {
    if (left < share) return fault
    left -= share
  }
  return 'none'
}
