import { describe, expect, test } from 'vitest'
import { pauseAfterTry } from '#callbacks/callbacks.ts'
import {
  aBlik,
  aSale,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  PATIENCE,
  reached,
  sell,
  startTestSandbox,
  switchFaults,
} from '#testing/merchant.ts'

test('tells the shop the outcome, signed, with the authorisation code', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  const { body } = await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const [callback] = await shop.received(1)
  expect(shop.isSigned(callback)).toBe(true)
  expect(callback).toMatchObject({
    project_id: body.project_id,
    payment: { id: 'ord_1', type: 'purchase', status: 'success', method: 'card' },
    account: { number: '400000******0077', type: 'visa', card_holder: 'ADA LOVELACE', expiry_year: '2035' },
    customer: { id: 'u_42' },
    operation: {
      type: 'sale',
      status: 'success',
      code: '0',
      request_id: body.request_id,
      sum_initial: { amount: 3405, currency: 'GBP' },
      provider: { auth_code: expect.stringMatching(/^\d{6}$/) },
    },
  })
})

test('repeats a callback until the shop answers 200, not following redirects', async () => {
  const shop = await openShop(500, 302, 404, 204)
  const sandbox = await startTestSandbox()
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const tries = await shop.received(5)
  expect(new Set(tries.map((each) => JSON.stringify(each))).size).toBe(1)
  await expect
    .poll(async () => (await booksOf(sandbox, '/ord_1')).callbacks, PATIENCE)
    .toEqual({ tried: 5, delivered: 1 })
})

test('gives up a sale in a currency that the project does not take, with errors and no operation', async () => {
  const shop = await openShop()
  const sale = aSale(CARDS.paid, shop.url)
  const { body } = await call(await startTestSandbox(), '/card/sale', 'ord_1', {
    ...sale,
    payment: { ...sale.payment, currency: 'XTS' },
  })
  const [callback] = await shop.received(1)
  expect(callback).toMatchObject({ payment: { status: 'error' }, errors: [{ code: '3023' }] })
  expect(callback.request_id).toBe(body.request_id)
  expect(callback).not.toHaveProperty('operation')
})

test('tries quickly at first, then ever more slowly, and never more than 4 hours apart', () => {
  const pauses = Array.from({ length: 120 }, (_, i) => pauseAfterTry(i + 1))
  expect(pauses.slice(0, 5)).toEqual([10, 10, 10, 10, 10])
  expect(pauses.slice(5)).toEqual(pauses.slice(5).toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBe(14_400)
})

describe('the format', () => {
  test('may carry its signature in general', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await switchFaults(sandbox, { callbackFormat: 'general-signature' })
    await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
    const [callback] = await shop.received(1)
    expect(shop.isSigned(callback)).toBe(true)
    expect(callback).not.toHaveProperty('signature')
    expect(callback).toMatchObject({ general: { signature: expect.any(String) }, payment: { id: 'ord_1' } })
  })

  test('of the terminal lists operations and keeps the sums outside', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await switchFaults(sandbox, { callbackFormat: 'terminal' })
    const { body } = await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
    const [callback] = await shop.received(1)
    expect(shop.isSigned(callback)).toBe(true)
    expect(callback).toMatchObject({
      general: { project_id: body.project_id, payment_id: 'ord_1' },
      request_id: body.request_id,
      payment: { id: 'ord_1', status: 'success', result_code: '0', cascading_with_redirect: false },
      sum_request: { amount: 3405, currency: 'GBP' },
      sum_real: { amount: 3405, currency: 'GBP' },
      AuthCode: expect.stringMatching(/^\d{6}$/),
      return_url: 'https://shop.example/payment/success',
      operations: [{ type: 'sale', status: 'success', sum: { amount: 3405, currency: 'GBP' } }],
    })
    for (const name of ['signature', 'project_id', 'operation']) expect(callback).not.toHaveProperty(name)
  })

  test('of the terminal puts the redirect into return_url', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await switchFaults(sandbox, { callbackFormat: 'terminal' })
    await call(sandbox, '/blik/sale', 'ord_1', aBlik(shop.url))
    const [callback] = await shop.received(1)
    expect(callback.return_url).toMatchObject({ method: 'GET', body: [], url: expect.any(String) })
    expect(callback).not.toHaveProperty('redirect_data')
    // Answers of the status call keep their shape.
    expect(await reached(sandbox, 'ord_1', 'awaiting redirect result')).toHaveProperty('redirect_data.url')
  })

  test('is mixed by the seed, the same for every callback of a payment', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await switchFaults(sandbox, { callbackFormat: 'mixed', seed: 'hedge', duplicateCallbacks: 1 })
    const ids = Array.from({ length: 12 }, (_, i) => `ord_${i}`)
    for (const id of ids) await sell(sandbox, id, CARDS.paid, shop.url)
    const callbacks = await shop.received(24)
    const formatOf = (each: Json) =>
      'operations' in each ? 'terminal' : 'signature' in each ? 'merchant' : 'general'
    const formats = ids.map((id) => new Set(callbacks.filter((each) => each.payment.id === id).map(formatOf)))
    expect(formats.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(formats.flatMap((each) => [...each])).size).toBe(3)
  })
})
