import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { BY_CALLBACK_ALONE, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, clarify, metadataOf, payByBank, startBy } from '#testing/payment-methods.ts'
import { connectionsOf, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { OPEN_BANKING_COUNTRIES: 'uk,germany' } })

const start = async (bankId: string, currency: 'EUR' | 'GBP' = 'GBP') => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, { currency })
  return { customer, order, paymentId: await startBy(payByBank, shop, customer, order, { bankId }) }
}

const saleOf = (paymentId: string) =>
  shop.gateCalls.find(({ path, body }) => path.endsWith('/sale') && body.general.payment_id === paymentId)

describe('paying from a bank account', () => {
  test('asks for consent in the bank’s words, then leads to the bank, then delivers', async () => {
    const { paymentId } = await start(BANKS.consent)
    await reached(shop, paymentId, 'awaiting clarification')
    const { fields } = await metadataOf(shop, paymentId)
    expect(fields).toEqual([
      {
        name: 'customer.psu_consent_text',
        label: 'Consent',
        type: 'consent',
        text: expect.stringMatching(/^I agree that /),
        isRequired: true,
      },
    ])
    expect((await clarify(shop, paymentId, { 'customer.psu_consent_text': true })).status).toBe(200)
    await reached(shop, paymentId, 'awaiting redirect result')
    expect(await metadataOf(shop, paymentId)).toEqual({
      url: expect.stringContaining(`${shop.sandbox.url}/at-bank/${paymentId}?session=`),
      method: 'GET',
      body: {},
    })
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('leads straight to a bank that wants no consent', async () => {
    const { paymentId } = await start(BANKS.noConsent)
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
  })

  test('hands over the form of a bank that is reached by one', async () => {
    const { paymentId } = await start(BANKS.byPost)
    await reached(shop, paymentId, 'awaiting clarification')
    await clarify(shop, paymentId, { 'customer.psu_consent_text': true })
    await reached(shop, paymentId, 'awaiting redirect result')
    expect(await metadataOf(shop, paymentId)).toEqual({
      url: `${shop.sandbox.url}/at-bank/${paymentId}`,
      method: 'POST',
      body: { session: expect.stringMatching(/./), lang: 'en' },
    })
  })

  test('ends in a decline when the customer refuses at the bank, and says why', async () => {
    const { paymentId, order } = await start(BANKS.noConsent)
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId, 'refuse')
    await reached(shop, paymentId, 'Decline')
    expect(await metadataOf(shop, paymentId)).toEqual({
      reason: 'You cancelled the payment.',
      again: `/checkout/${order.orderId}`,
    })
  })

  test('pays in EUR at a bank of a country that is switched on', async () => {
    const { paymentId } = await start(BANKS.inGermany, 'EUR')
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(saleOf(paymentId)?.path).toBe('/v2/payment/banks/germany/sale')
  })

  test('tells the gateway who pays, and the bank by its number', async () => {
    const { paymentId, customer } = await start(BANKS.noConsent)
    expect(saleOf(paymentId)?.body).toMatchObject({
      account: { bank_id: 3851 },
      customer: {
        id: customer.id,
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Lovelace',
        ip_address: '127.0.0.1',
      },
      payment: { amount: 3000, currency: 'GBP' },
      return_url: { return: expect.stringContaining('/checkout/') },
    })
  })

  test.each([
    ['one that is not listed', '999999', 'GBP'],
    ['one of another currency', BANKS.inGermany, 'GBP'],
    ['one of another currency', BANKS.consent, 'EUR'],
    ['nothing', '', 'GBP'],
    ['words', 'a b', 'GBP'],
    ['something long', 'x'.repeat(65), 'GBP'],
    ['a number', 7, 'GBP'],
  ] as const)('refuses %s as a bank, and starts nothing: %s for %s', async (_, bankId, currency) => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency })
    const reply = expectProblem(await payByBank(shop, customer, order, { bankId }), 422)
    expect(messageFor(reply, 'bankId')).toBe('Choose a bank from the list')
    const rows = await shop.db.selectFrom('payments').where('order_id', '=', order.orderId).execute()
    expect(rows).toEqual([])
  })
})

describe('a bank that promises the money first', () => {
  beforeAll(() => switchFaults(shop, BY_CALLBACK_ALONE))

  const promised = async () => {
    const { paymentId } = await start(BANKS.confirmedLater)
    await reached(shop, paymentId, 'awaiting clarification')
    return paymentId
  }

  test('delivers when the money has come, from the callback alone', async () => {
    const paymentId = await promised()
    await clarify(shop, paymentId, { 'customer.psu_consent_text': true })
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  const update = (paymentId: string, status: string, operation: object) =>
    sendUpdate(shop, {
      paymentId,
      amountMinor: 3000,
      currency: 'GBP',
      status,
      at: new Date(Date.now() + 2000),
      more: {
        operation: { id: 9, request_id: 'r', sum_initial: { amount: 3000, currency: 'GBP' }, ...operation },
      },
    })

  test('delivers nothing for the promise', async () => {
    const paymentId = await promised()
    const sale = { type: 'sale', status: 'success', code: '0' }
    expect((await update(paymentId, 'awaiting confirmation', sale)).status).toBe(200)
    await reached(shop, paymentId, 'processing')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('delivers nothing when the promise is taken back', async () => {
    const paymentId = await promised()
    await update(paymentId, 'awaiting confirmation', { type: 'sale', status: 'success', code: '0' })
    await update(paymentId, 'reversed', { type: 'payment confirmation', status: 'decline', code: '100' })
    await reached(shop, paymentId, 'Decline')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })
})

test('where no bank takes the currency, that is said and nothing starts', async () => {
  const own = await startTestShop({ env: { OPEN_BANKING_COUNTRIES: 'uk' } })
  const customer = await aCustomer(own)
  const order = await anOrder(own, customer)
  const reply = expectProblem(await payByBank(own, customer, order), 409)
  expect(reply.body).toMatchObject({
    code: 'method-not-open',
    detail: 'You cannot pay from a bank account in EUR here. Nothing was charged. Pay by card.',
  })
  expect((await own.call('GET', '/api/v1/payment/methods')).body.openBanking).toEqual({ currencies: ['GBP'] })
  expect(own.gateCalls).toEqual([])
  await until(async () => (await startPayment(own, customer, order)).length > 0)
})
