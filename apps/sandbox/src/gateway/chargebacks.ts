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
import { CHARGEBACK_FEE } from '#settlement/fees.ts'

export type PaidChargeback = { payment: Payment; chargeback: Chargeback }

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

/** Whether the money is with the card holder's bank, which takes it at once and gives it back to a merchant who wins. */
const isTaken = ({ status }: Pick<Chargeback, 'status'>): boolean => status !== 'won'

/** Moves the money on the merchant's balance. Throws ChargebackRefused where nothing more can be kept. */
const book = (
  { books, nextOperationId }: Gateway,
  payment: Payment,
  { amount, stage }: Pick<Chargeback, 'amount' | 'stage'>,
  type: 'chargeback' | 'representment',
): void => {
  const booking = {
    ...{ id: nextOperationId(), type, amount, currency: receivedOf(payment).currency },
    fee: type === 'chargeback' ? CHARGEBACK_FEE : 0,
    paymentId: payment.id,
    description: stage.replaceAll('_', '-'),
    createdAt: Date.now(),
  }
  if (!books.book(booking)) throw new ChargebackRefused('There are too many bookings')
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
  book(gateway, payment, chargeback, 'chargeback')
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
  if (isTaken(chargeback) !== isTaken(to)) {
    const stage = to.stage ?? chargeback.stage
    book(gateway, payment, { ...chargeback, stage }, isTaken(to) ? 'chargeback' : 'representment')
  }
  chargeback.stage = to.stage ?? chargeback.stage
  chargeback.status = to.status
  chargeback.updatedAt = now
  if (to.status === 'new' || to.status === 'challenged') delete chargeback.completedAt
  else chargeback.completedAt = now
  gateway.books.save(payment)
}
