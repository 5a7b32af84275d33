import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, metadataOf, TURNS } from '#testing/payment-methods.ts'
import {
  bankForm,
  challengeOf,
  connectionsOf,
  reached,
  sendToChallenge,
  startPayment,
} from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const start = async (pan: string) => {
  const customer = await aCustomer(shop)
  return startPayment(shop, customer, await anOrder(shop, customer), { pan })
}

describe('a card payment', () => {
  test('shows the code that the customer is to scan, and delivers when they have approved', async () => {
    const paymentId = await start(TURNS.showsCode)
    await reached(shop, paymentId, 'awaiting customer action')
    expect(await metadataOf(shop, paymentId)).toEqual({
      display: [{ type: 'qr_data', title: 'QR code', data: expect.stringContaining(shop.sandbox.url) }],
    })
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await metadataOf(shop, paymentId)).toEqual({})
  })

  test('ends in a decline when the customer refuses there', async () => {
    const paymentId = await start(TURNS.showsCode)
    await reached(shop, paymentId, 'awaiting customer action')
    await answerElsewhere(shop, paymentId, 'refuse')
    await reached(shop, paymentId, 'Decline')
  })

  test('may be asked about twice by the bank: each question is answered once', async () => {
    const paymentId = await start(TURNS.asksTwice)
    const first = await challengeOf(shop, paymentId)
    await sendToChallenge(shop, paymentId, bankForm(first))
    const second = await until(async () => {
      const { md } = await challengeOf(shop, paymentId)
      return md !== first.md && challengeOf(shop, paymentId)
    })
    await sendToChallenge(shop, paymentId, bankForm(second))
    await reached(shop, paymentId, 'Success')
    expect((await bookOf(shop, paymentId)).challengesMade).toBe(2)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('whose provider runs 3-D Secure itself leads to its page like to a bank’s', async () => {
    const paymentId = await start(TURNS.asksElsewhere)
    await reached(shop, paymentId, 'awaiting redirect result')
    expect(await metadataOf(shop, paymentId)).toEqual({
      url: expect.stringContaining(`${shop.sandbox.url}/at-bank/`),
      method: 'GET',
      body: {},
    })
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
  })
})
