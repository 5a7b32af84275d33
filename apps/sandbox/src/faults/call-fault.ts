import type { FaultInjector } from '#faults/fault-injector.ts'
import { type SaleFault, shareOf } from '#faults/faults.ts'

type Call = { path: string; isSale?: boolean; isQuestion?: boolean }

/** What happens to one call, counted. */
export const faultOfCall = (faults: FaultInjector, call: Call, paymentId: string): SaleFault => {
  const fault = drawFault(faults, call, paymentId)
  if (fault !== 'none') faults.count(`call: ${fault}`)
  return fault
}

/** The switches for sales and for the status are asked first, then those for every call. */
const drawFault = ({ switches, draws }: FaultInjector, call: Call, paymentId: string): SaleFault => {
  const draw = draws.forNext(paymentId, call.path)
  if (call.isSale && draw('sale') < shareOf(switches.failRate) && switches.failSales !== 'none') {
    return switches.failSales
  }
  if (call.isQuestion && draw('status') < shareOf(switches.hangStatus)) return 'hang'
  const shares: [SaleFault, number][] = [
    ['500', shareOf(switches.failCalls)],
    ['hang', shareOf(switches.hangCalls)],
    ['drop-before-accept', shareOf(switches.dropCallsBeforeAccept)],
    ['drop-after-accept', shareOf(switches.dropCallsAfterAccept)],
  ]
  // One draw for all of them, so that their shares add up.
  let left = draw('call')
  for (const [fault, share] of shares) {
    if (left < share) return fault
    left -= share
  }
  return 'none'
}

/** Whether this question about what is not paid yet is answered with another sum. */
export const isAnsweredWrong = ({ switches, draws, count }: FaultInjector, id: string): boolean => {
  const isWrong = draws.forNext(id, 'answer')('wrongSums') < shareOf(switches.wrongSums)
  if (isWrong) count('wrongSums')
  return isWrong
}
