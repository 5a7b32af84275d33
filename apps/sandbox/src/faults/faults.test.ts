import { expect, test, vi } from 'vitest'
import { NO_FAULTS } from '#faults/faults.ts'
import {
  aBlik,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  PATIENCE,
  reached,
  sell,
  soldAs,
  startTestSandbox,
  statusOf,
  switchFaults,
} from '#testing/merchant.ts'

const statuses = (callbacks: Json[]): string[] => callbacks.map((each) => each.payment.status)

test('all faults are off at the start', async () => {
  const { url } = await startTestSandbox()
  expect(await (await fetch(`${url}/gate/faults`)).json()).toEqual(NO_FAULTS)
})

test.each([
  { earthquake: true },
  { dropCallbacks: 1.5 },
  { failCalls: '0.5' },
  { lateFromMs: 20, lateToMs: 10 },
  { callbackFormat: 'xml' },
  { seed: '' },
])('refuses %j and changes nothing', async (faults) => {
  const sandbox = await startTestSandbox()
  expect((await switchFaults(sandbox, { forgeCallbacks: 1, ...faults })).status).toBe(400)
  expect(await (await fetch(`${sandbox.url}/gate/faults`)).json()).toEqual(NO_FAULTS)
})

test('the page sends every switch, and takes them back', async () => {
  const { url } = await startTestSandbox()
  const page = await (await fetch(url)).text()
  const sent = new URLSearchParams()
  for (const name of Object.keys(NO_FAULTS)) {
    expect(page).toContain(`name="${name}"`)
    const value = page.match(new RegExp(`name="${name}" value="([^"]*)"`))?.[1]
    sent.set(name, value ?? (name === 'failSales' ? 'hang' : 'mixed'))
  }
  sent.set('dropCallbacks', '0.25')
  sent.set('seed', 'hedge')
  const post = (body: URLSearchParams) =>
    fetch(`${url}/gate/faults`, { method: 'POST', body, redirect: 'manual' })
  expect((await post(sent)).status).toBe(303)
  const set = await (await fetch(`${url}/gate/faults`)).json()
  expect(set).toMatchObject({
    dropCallbacks: 0.25,
    seed: 'hedge',
    failSales: 'hang',
    callbackFormat: 'mixed',
    callbackDelayMs: null,
  })
  await post(new URLSearchParams({ clear: 'yes' }))
  expect(await (await fetch(`${url}/gate/faults`)).json()).toEqual(NO_FAULTS)
})

test('faults: the same callback several times', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { duplicateCallbacks: 2 })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  expect(statuses(await shop.received(3))).toEqual(['success', 'success', 'success'])
})

test('faults: an earlier state after the outcome', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { reorderCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const [outcome, earlier] = await shop.received(2)
  expect(statuses([outcome, earlier])).toEqual(['success', 'processing'])
  expect(earlier.operation.provider.auth_code).toBeUndefined()
})

test('faults: a forged success for a declined card', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { forgeCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.declined, shop.url)
  const callbacks = await shop.received(2)
  const forged = callbacks.find((each) => each.payment.status === 'success')
  const real = callbacks.find((each) => each.payment.status === 'decline')
  expect([shop.isSigned(forged), shop.isSigned(real)]).toEqual([false, true])
})

test('faults: a sale answered with 500 was not taken', async () => {
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { failSales: '500' })
  expect((await sell(sandbox, 'ord_1')).status).toBe(500)
  expect((await call(sandbox, '/status', 'ord_1')).body.code).toBe('3061')
})

test('faults: a sale whose answer is lost was taken', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { failSales: 'drop-after-accept' })
  await expect(sell(sandbox, 'ord_1', CARDS.paid, shop.url)).rejects.toThrow()
  expect(statuses(await shop.received(1))).toEqual(['success'])
})

test('faults: no callback at all, so the shop has to ask', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { dropCallbacks: true })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  await expect
    .poll(async () => (await call(sandbox, '/status', 'ord_1')).body.payment.status, PATIENCE)
    .toBe('success')
  await switchFaults(sandbox, { dropCallbacks: false })
  await sell(sandbox, 'ord_2', CARDS.paid, shop.url)
  expect((await shop.received(1)).map((each) => each.payment.id)).toEqual(['ord_2'])
})

test('faults: a truly signed callback of a wrong sum besides the true one', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { wrongSums: 1 })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const callbacks = await shop.received(2)
  expect(callbacks.every(shop.isSigned)).toBe(true)
  const byStatus = callbacks.map(({ payment, operation }) => [
    payment.status,
    payment.sum.amount,
    operation.sum_initial.amount,
  ])
  expect(byStatus.toSorted()).toEqual([
    ['processing', 1, 1],
    ['success', 3405, 3405],
  ])
})

test('faults: an earlier state of a refund after its outcome', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await switchFaults(sandbox, { reorderCallbacks: 1 })
  const general = { merchant_callback_url: shop.url }
  await call(sandbox, '/card/refund', 'ord_1', { general, payment: { description: 'Returned' } })
  expect(
    (await shop.received(2)).map(({ payment, operation }) => [payment.status, operation.status]),
  ).toEqual([
    ['reversed', 'success'],
    ['success', 'processing'],
  ])
})

test('faults: a late callback comes after the status has told the outcome', async () => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { lateCallbacks: 1, lateFromMs: 300, lateToMs: 400 })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  await reached(sandbox, 'ord_1', 'success')
  expect(shop.callbacks).toEqual([])
  expect(statuses(await shop.received(1))).toEqual(['success'])
})

test('faults: a status that cannot be had for a while', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await switchFaults(sandbox, { hideStatus: 1, hideStatusMs: 600_000 })
  const hidden = await statusOf(sandbox, 'ord_1')
  expect(hidden).toMatchObject({ status: 'error', code: '3062', errors: [{ code: '3062' }] })
  await switchFaults(sandbox, { hideStatusMs: 0 })
  expect((await statusOf(sandbox, 'ord_1')).payment.status).toBe('success')
})

test('faults: only the status is never answered', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await switchFaults(sandbox, { hangStatus: 1 })
  statusOf(sandbox, 'ord_1').catch(() => undefined)
  const refund = await call(sandbox, '/card/refund', 'ord_1', { payment: { description: 'Returned' } })
  expect(refund.status).toBe(200)
  const struck = async () => (await fetch(`${sandbox.url}/gate/faults/struck`)).json() as Promise<Json>
  await vi.waitUntil(async () => (await struck())['call: hang'] === 1, PATIENCE)
})

test('faults: any call can be answered with 500, or broken off before it is taken', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  const refund = () => call(sandbox, '/card/refund', 'ord_1', { payment: { description: 'Returned' } })
  await switchFaults(sandbox, { failCalls: 1 })
  expect([(await refund()).status, (await sell(sandbox, 'ord_2')).status]).toEqual([500, 500])
  await switchFaults(sandbox, { failCalls: 0, dropCallsBeforeAccept: 1 })
  await expect(refund()).rejects.toThrow()
  await expect(call(sandbox, '/blik/sale', 'ord_3', aBlik())).rejects.toThrow()
  await switchFaults(sandbox, { dropCallsBeforeAccept: 0 })
  expect((await booksOf(sandbox)).map(({ id, refunded }: Json) => [id, refunded])).toEqual([['ord_1', 0]])
})

test('faults: a refund whose answer is lost was taken', async () => {
  const sandbox = await startTestSandbox()
  await soldAs(sandbox, 'ord_1')
  await switchFaults(sandbox, { dropCallsAfterAccept: 1 })
  const lost = call(sandbox, '/card/refund', 'ord_1', { payment: { description: 'Returned' } })
  await expect(lost).rejects.toThrow()
  await switchFaults(sandbox, { dropCallsAfterAccept: 0 })
  await reached(sandbox, 'ord_1', 'reversed')
})

test('faults: a seed strikes the same payments again, another seed others', async () => {
  const sandbox = await startTestSandbox()
  /** Which of twenty sales, each sent twice, were answered with 500. */
  const run = async (seed: string) => {
    await switchFaults(sandbox, { seed, failCalls: 0.5 })
    const answers: number[] = []
    for (let i = 0; i < 40; i++) answers.push((await sell(sandbox, `${i % 20}`)).status === 500 ? 1 : 0)
    return answers.join('')
  }
  const [first, again, other] = [await run('hedge'), await run('hedge'), await run('row')]
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(first).toMatch(/0/)
  expect(first).toMatch(/1/)
  // The second call for a payment is not fated to end as the first.
  expect(first.slice(0, 20)).not.toBe(first.slice(20))
})

test('faults: shares add up over one draw', async () => {
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { seed: 'hedge', failCalls: 0.5, dropCallsBeforeAccept: 0.5 })
  for (let i = 0; i < 10; i++) await sell(sandbox, `ord_${i}`).catch(() => undefined)
  expect(await booksOf(sandbox)).toEqual([])
})
