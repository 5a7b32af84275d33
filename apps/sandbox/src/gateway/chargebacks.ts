import type { Gateway } from '#gateway/gateway.ts'
import {
  type Chargeback,
  type ChargebackStage,
  type ChargebackStatus,
  chargedBack,
  type Payment,
  receivedOf,
  saleOf,
} from '#payments/payment.ts'

export type PaidChargeback = { payment: Payment; chargeback: Chargeback }

/** What the gateway takes for each time that a bank takes money back, won or not; in minor units, and invented. */
const CHARGEBACK_FEE = 2_000

/** Why it cannot be done. */
export class ChargebackRefused extends Error {}

/** All chargebacks, in the order in which their payments came. */
export const allChargebacks = function* ({ books }: Gateway): Generator<PaidChargeback> {
  for (const payment of books.all())
    for (const chargeback of payment.chargebacks ?? []) yield { payment, chargeback }
}

export const findChargeback = (gateway: Gateway, id: number): PaidChargeback | undefined => {
  for (const one of allChargebacks(gateway)) if (one.chargeback.id === id) return one
  return undefined
}

/**
 * What it does to the merchant's balance: the money goes when the bank asks for it, and comes back when the merchant has won.
 * The first time it is called what the chargeback is.
 */
const book = (
  gateway: Gateway,
  { payment, chargeback }: PaidChargeback,
  { isBack, isFirst, at }: { isBack: boolean; isFirst: boolean; at: number },
): void => {
  const { id, amount } = chargeback
  const isBooked = gateway.books.book({
    id: isFirst ? id : gateway.nextOperationId(),
    type: isBack ? 'representment' : 'chargeback',
    amount,
    currency: receivedOf(payment).currency,
    fee: isBack ? 0 : CHARGEBACK_FEE,
    paymentId: payment.id,
    description: payment.description,
    createdAt: at,
  })
  if (!isBooked) throw new ChargebackRefused('There are too many bookings')
}

/** The bank takes money back: all that is left, where no sum is named. Throws ChargebackRefused. */
export const openChargeback = (
  gateway: Gateway,
  payment: Payment,
  { amount, reasonCode }: { amount?: number | undefined; reasonCode: string },
): Chargeback => {
  if (!payment.account) throw new ChargebackRefused('Only cards have chargebacks')
  if (saleOf(payment).status !== 'success') throw new ChargebackRefused('The payment is not paid')
  const left = payment.remaining - chargedBack(payment)
  const sum = amount ?? left
  if (!Number.isInteger(sum) || sum <= 0 || sum > left)
    throw new ChargebackRefused('The amount must be from 1 to what is left of the payment')
  const now = Date.now()
  const chargeback: Chargeback = {
    id: gateway.nextOperationId(),
    stage: 'chargeback',
    status: 'new',
    reasonCode,
    amount: sum,
    createdAt: now,
    updatedAt: now,
  }
  book(gateway, { payment, chargeback }, { isBack: false, isFirst: true, at: now })
  payment.chargebacks = [...(payment.chargebacks ?? []), chargeback]
  gateway.books.save(payment)
  return chargeback
}

/** The merchant answers, the bank decides, or goes on with one that the merchant has won. */
export const moveChargeback = (
  gateway: Gateway,
  { payment, chargeback }: PaidChargeback,
  to: { status: ChargebackStatus; stage?: ChargebackStage | undefined },
): void => {
  const now = Date.now()
  const isBack = to.status === 'won'
  if (isBack !== (chargeback.status === 'won'))
    book(gateway, { payment, chargeback }, { isBack, isFirst: false, at: now })
  chargeback.stage = to.stage ?? chargeback.stage
  chargeback.status = to.status
  chargeback.updatedAt = now
  if (to.status === 'new' || to.status === 'challenged') delete chargeback.completedAt
  else chargeback.completedAt = now
  gateway.books.save(payment)
}
