import { expect, test } from 'vitest'
import { pauseAfterTry } from '#gateway/callback-pauses.ts'
import {
  aSale,
  CARDS,
  call,
  type Json,
  openShop,
  PATIENCE,
  sell,
  startTestSandbox,
} from '#testing/merchant.ts'

const switchFaults = (url: string, faults: Json) =>
  fetch(`${url}/gate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })

const booked = async (url: string, id: string): Promise<Json> =>
  (await fetch(`${url}/gate/payments/${id}`)).json()

const statuses = (callbacks: Json[]): string[] => callbacks.map((each) => each.payment.status)

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
    .poll(async () => (await booked(sandbox.url, 'ord_1')).callbacks, PATIENCE)
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

test('all faults are off at the start', async () => {
  const { url } = await startTestSandbox()
  const faults = await (await fetch(`${url}/gate/faults`)).json()
  expect(faults).toMatchObject({ duplicateCallbacks: 0, dropCallbacks: false, failSales: 'none' })
})

test('refuses a fault that does not exist', async () => {
  const { url } = await startTestSandbox()
  expect((await switchFaults(url, { earthquake: true })).status).toBe(400)
})

test('faults: the same callback several times', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { duplicateCallbacks: 2 })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  expect(statuses(await shop.received(3))).toEqual(['success', 'success', 'success'])
})

test('faults: an earlier state after the outcome', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { reorderCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const [outcome, earlier] = await shop.received(2)
  expect(statuses([outcome, earlier])).toEqual(['success', 'processing'])
  expect(earlier.operation.provider.auth_code).toBeUndefined()
})

test('faults: a forged success for a declined card', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { forgeCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.declined, shop.url)
  const callbacks = await shop.received(2)
  const forged = callbacks.find((each) => each.payment.status === 'success')
  const real = callbacks.find((each) => each.payment.status === 'decline')
  expect([shop.isSigned(forged), shop.isSigned(real)]).toEqual([false, true])
})

test('faults: a sale answered with 500 was not taken', async () => {
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { failSales: '500' })
  expect((await sell(sandbox, 'ord_1')).status).toBe(500)
  expect((await call(sandbox, '/status', 'ord_1')).body.code).toBe('3061')
})

test('faults: a sale whose answer is lost was taken', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { failSales: 'drop-after-accept' })
  await expect(sell(sandbox, 'ord_1', CARDS.paid, shop.url)).rejects.toThrow()
  expect(statuses(await shop.received(1))).toEqual(['success'])
})

test('faults: no callback at all, so the shop has to ask', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox.url, { dropCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  await expect
    .poll(async () => (await call(sandbox, '/status', 'ord_1')).body.payment.status, PATIENCE)
    .toBe('success')
  await switchFaults(sandbox.url, { dropCallbacks: false })
  await sell(sandbox, 'ord_2', CARDS.paid, shop.url)
  expect((await shop.received(1)).map((each) => each.payment.id)).toEqual(['ord_2'])
})
