import { toMinor } from '@hedgerow/domain/money'
import { until } from '@hedgerow/testing/until'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, CARDS, challengeOf, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import type { TestShop } from '#testing/test-shop.ts'

export const notesOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db
    .selectFrom('credit_notes')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('year')
    .orderBy('number')
    .execute()

/** Refunds as an operator does, all that is left or a sum like '3.00', and waits until the money is back. Returns the refund. */
export const refund = async (shop: Pick<TestShop, 'db'>, paymentId: string, sum?: string) => {
  const ended = async () =>
    (await refundsOf(shop, paymentId)).filter(({ status }) => status === 'Success').length
  const before = await ended()
  const amountMinor = sum === undefined ? undefined : toMinor(Number(sum))
  const { kind } = await requestRefund(shop, { paymentId, amountMinor })
  if (kind !== 'recorded') throw new Error(`The refund is ${kind}`)
  await until(async () => (await ended()) > before)
  const last = (await refundsOf(shop, paymentId)).findLast(({ status }) => status === 'Success')
  if (!last) throw new Error('There is no refund')
  return last
}

/** The credit notes of a payment, as soon as there are so many. */
export const noted = (shop: Pick<TestShop, 'db'>, paymentId: string, count: number) =>
  until(async () => {
    await hurry(shop, 'issue-invoices')
    const notes = await notesOf(shop, paymentId)
    return notes.length === count && notes
  })

/** An order that was paid by two attempts, of which the first one's money goes back and has no invoice. */
export const paidTwice = async (shop: TestShop) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, first)
  const second = await startPayment(shop, customer, order, { instead: first })
  await reached(shop, second, 'Success')
  await answerChallenge(shop, first)
  await reached(shop, first, 'Success')
  return { customer, first, second }
}
