import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { AUTHORISATION_FINISHED } from '#money/gateway/next-action.ts'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { authorise, metadataOf, TURNS } from '#testing/payment-methods.ts'
import { connectionsOf, paymentRow, reached, startPayment, statusOf } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const asked = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: TURNS.sendsCode })
  await reached(shop, paymentId, 'awaiting merchant auth')
  return { paymentId, order }
}

/** The gateway's question, sent again. */
const askAgain = async (paymentId: string, laterByMs = 0) => {
  const { updatedAt } = await bookOf(shop, paymentId)
  return sendUpdate(shop, {
    paymentId,
    amountMinor: 3000,
    currency: 'EUR',
    status: 'awaiting merchant auth',
    at: new Date(Date.parse(updatedAt) + laterByMs),
  })
}

describe('a code that the card holder is sent', () => {
  test('is sent when the customer agrees, and pays once it is entered', async () => {
    const { paymentId } = await asked()
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'start' })
    expect((await authorise(shop, paymentId)).status).toBe(200)
    expect(await statusOf(shop, paymentId)).toBe('awaiting merchant auth')
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'finish' })
    expect((await authorise(shop, paymentId, ' 1234 ')).status).toBe(200)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('that is wrong declines the payment, and the page says why', async () => {
    const { paymentId, order } = await asked()
    await authorise(shop, paymentId)
    await authorise(shop, paymentId, '0000')
    await reached(shop, paymentId, 'Decline')
    expect(await metadataOf(shop, paymentId)).toEqual({
      reason: 'Some of the details are wrong. Please check them.',
      again: `/checkout/${order.orderId}`,
    })
  })

  test.each([undefined, '', '1', 'x'.repeat(13), '1234; drop'])('is not %j', async (code) => {
    const { paymentId } = await asked()
    await authorise(shop, paymentId)
    expect(messageFor(expectProblem(await authorise(shop, paymentId, code), 422), 'code')).toBeDefined()
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'finish' })
  })

  test('that the gateway refuses can be entered again', async () => {
    const { paymentId } = await asked()
    await authorise(shop, paymentId)
    expectProblem(await authorise(shop, paymentId, 'abcdef'), 422)
    await authorise(shop, paymentId, '123456')
    await reached(shop, paymentId, 'Success')
  })

  test('is asked for once, however often the gateway’s wish is repeated', async () => {
    const { paymentId } = await asked()
    await askAgain(paymentId)
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'start' })
    await authorise(shop, paymentId)
    await askAgain(paymentId)
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'finish' })
  })

  test('that was entered is not asked for by a late repeat, but when the gateway asks anew', async () => {
    const { paymentId } = await asked()
    await authorise(shop, paymentId)
    await shop.db
      .updateTable('payments')
      .set({ status: 'processing', answered: AUTHORISATION_FINISHED })
      .where('id', '=', paymentId)
      .execute()
    await askAgain(paymentId)
    expect((await paymentRow(shop, paymentId)).status).toBe('processing')
    await askAgain(paymentId, 1000)
    await reached(shop, paymentId, 'awaiting merchant auth')
    expect(await metadataOf(shop, paymentId)).toEqual({ stage: 'finish' })
  })

  test('is asked for in vain when nothing waits for it', async () => {
    const { paymentId } = await asked()
    await authorise(shop, paymentId)
    await authorise(shop, paymentId, '1234')
    await reached(shop, paymentId, 'Success')
    expectProblem(await authorise(shop, paymentId, '1234'), 409)
    expectProblem(await authorise(shop, '0'.repeat(32)), 404)
  })
})
