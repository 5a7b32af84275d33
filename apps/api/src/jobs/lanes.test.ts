import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { addDueChecks } from '#testing/due-checks.ts'
import { hurry, isDue, makeDue, waitingJobs } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, earningOf } from '#testing/partners.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paidWhile,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const STATUS = '/payment/status'
const REFUND = '/card/refund'

/** More than all workers there are could ask about in several rounds. */
const MANY = 400

/** A gateway that answers these calls no more, and is asked all the time. */
const hanging = async (shop: TestShop, ...paths: string[]) => {
  const hold = shop.holdGateCalls(...paths)
  onTestFinished(hold.release)
  await addDueChecks(shop, await aCustomer(shop), MANY)
  for (let round = 0; round < 5; round++) {
    await makeDue(shop, 'check-payments')
    await until(async () => !(await isDue(shop, 'check-payments')))
  }
  await until(() => hold.count(STATUS) > 0)
  return hold
}

const issuedFor = ({ db }: TestShop, orderId: string) =>
  db.selectFrom('invoices').select('number').where('order_id', '=', orderId).executeTakeFirst()

describe('while the gateway answers no status check', () => {
  test('an invoice, its mail, a late delivery and a partner’s credit go through', async () => {
    const shop = await startTestShop({ hasAllWorkers: true })
    const partner = await aPartner(shop)
    const buyer = await aCustomer(shop)
    const order = await anOrder(shop, buyer)
    await sql`update customers set referred_by = ${partner.id} where id = ${buyer.id}`.execute(shop.db)
    const hold = await hanging(shop, STATUS)
    const close = () => shop.db.updateTable('nodes').set({ is_open: false }).execute()
    const paymentId = await paidWhile(shop, buyer, order, close)
    await shop.db.updateTable('nodes').set({ is_open: true }).execute()
    await hurry(shop, 'deliver-payment')
    await until(async () => (await connectionsOf(shop, paymentId)).length === 3)
    await hurry(shop, 'issue-invoices')
    await until(() => issuedFor(shop, order.orderId))
    await mailbox(shop).latest(buyer.email, 'Your receipt')
    await hurry(shop, 'credit-partners')
    await until(() => earningOf(shop, paymentId))
    expect(hold.count(STATUS)).toBeGreaterThan(0)
    const ended = shop.db.selectFrom('payments').select('id').where('ended_at', 'is not', null)
    expect((await ended.execute()).map(({ id }) => id)).toEqual([paymentId])
  })

  test('and no refund either, the answer of a customer’s bank is passed on', async () => {
    const shop = await startTestShop({ hasAllWorkers: true })
    const paid = await aPurchase(shop)
    const hold = await hanging(shop, STATUS, REFUND)
    const refund = await requestRefund(shop, { paymentId: paid.paymentId })
    if (refund.kind !== 'recorded') throw new Error('The refund was not recorded')
    const { refundId } = refund
    await shop.db.transaction().execute(async (trx) => {
      for (let n = 0; n < 100; n++) await addJob(trx, 'send-refund', { refundId })
    })
    await until(() => hold.count(REFUND) > 0)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(hold.count(REFUND)).toBeGreaterThan(0)
  })
})

test('a confirmation and a reset leave before the receipts that wait', async () => {
  const shop = await startTestShop({ hasAllWorkers: true })
  const { order, customer } = await aPurchase(shop)
  await hurry(shop, 'issue-invoices')
  await mailbox(shop).latest(customer.email, 'Your receipt')
  await shop.db.transaction().execute(async (trx) => {
    for (let n = 0; n < 300; n++) await addJob(trx, 'mail-receipt', { orderId: order.orderId })
  })
  const email = uniqueEmail()
  const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
  await shop.call('POST', '/api/v1/user/create', { body })
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: customer.email } })
  await mailbox(shop).latest(email, 'Confirm your email')
  await mailbox(shop).latest(customer.email, 'new password')
  expect(await waitingJobs(shop)).toContain('mail-receipt')
})
