import type { FaultInjector } from '#faults/fault-injector.ts'
import { type ShareName, shareOf } from '#faults/faults.ts'
import type { Code } from '#payments/codes.ts'
import type { Payment, PaymentStatus, Sum } from '#payments/payment.ts'

type EndingName = Extract<ShareName, `end${string}` | 'payOtherSums'>

/** How a payment ends that brings no money: its status, and the code of its sale. */
type Failure = { status: PaymentStatus; code: Code }

const FAILURES: Readonly<Partial<Record<EndingName, Failure>>> = {
  endExpired: { status: 'expired', code: '10602' },
  endCancelled: { status: 'cancelled', code: '10301' },
  endWithInternalError: { status: 'internal error', code: '501' },
  endWithExternalError: { status: 'external error', code: '10202' },
  endReversed: { status: 'reversed', code: '10000' },
}

const ENDINGS = [...(Object.keys(FAILURES) as EndingName[]), 'payOtherSums', 'endPartlyPaid'] as const

/** The ending that strikes a payment: one draw for all of them, so that their shares add up. */
export const endingOf = ({ switches, draws }: FaultInjector, { id }: Payment): EndingName | undefined => {
  let left = draws.forPayment(id)('ending')
  for (const name of ENDINGS) {
    const share = shareOf(switches[name])
    if (left < share) return name
    left -= share
  }
  return undefined
}

export const failureOf = (ending: EndingName | undefined): Failure | undefined => ending && FAILURES[ending]

/** Partial authorisation begins above this sum (120.00), and gives so many percent. */
const PARTIAL_ABOVE = 12_000
const PARTIAL_PERCENT = 40

/** Never one whose refund fails for its last digits. */
const roundedDown = (amount: number): number => Math.max(10, Math.floor(amount / 10) * 10)

const partOf = (amount: number): number => roundedDown((amount * PARTIAL_PERCENT) / 100)

const otherCurrency = (currency: string): string => (currency === 'USD' ? 'CHF' : 'USD')

/** Less, more, or the same number in another currency. */
const otherSumOf = ({ draws }: FaultInjector, { id, amount, currency }: Payment): Sum => {
  const draw = draws.forPayment(id)('other sum')
  if (draw < 1 / 3) return { amount: partOf(amount), currency }
  if (draw < 2 / 3) return { amount: roundedDown(amount) + 500, currency }
  return { amount: roundedDown(amount), currency: otherCurrency(currency) }
}

/** What comes of a payment that succeeds, where that is not what was asked for. */
export const otherSum = (
  faults: FaultInjector,
  payment: Payment,
  ending: EndingName | undefined,
): Sum | undefined => {
  const { amount, currency, plan } = payment
  if (ending === 'payOtherSums') return otherSumOf(faults, payment)
  const isPart = ending === 'endPartlyPaid' || (plan.isPartial && amount > PARTIAL_ABOVE)
  return isPart ? { amount: partOf(amount), currency } : undefined
}
