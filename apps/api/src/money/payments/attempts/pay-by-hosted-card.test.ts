import { randomUUID } from 'node:crypto'
import { signatureOf } from '@hedgerow/gate/signature'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { wasChecked } from '#testing/due-checks.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { aCard, cardBody, connectionsOf, paymentRow, reached, statusOf } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { CARD_FORM: 'hosted' } })

const payOnPage = ({ token }: TestCustomer, order: TestOrder, more: object = {}) =>
  shop.call('POST', `/api/v1/orders/${order.orderId}`, {
    token,
    body: { total: order.total, currency: order.currency.code, acceptTerms: true, ...more },
  })

/** Where the customer is sent, on the sandbox itself. */
const pageOf = async (paymentId: string): Promise<URL> => {
  await reached(shop, paymentId, 'awaiting redirect result')
  const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
  const { url, method } = JSON.parse(body.metadata)
  expect(method).toBe('GET')
  expect(url).toContain(shop.settings.gate.pageUrl)
  return new URL(`${shop.sandbox.url}/payment${new URL(url).search}`)
}

const typeCard = (page: URL, card: object = {}) => {
  const { pan, card_holder, month, year, cvv } = aCard(card as never) as Record<string, string>
  const body = new URLSearchParams({ pan, card_holder, month, year, cvv } as Record<string, string>)
  return fetch(page, { method: 'POST', body, redirect: 'manual' })
}

const aPagePayment = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const { status, body } = await payOnPage(customer, order)
  expect(status).toBe(200)
  return { customer, order, paymentId: body.paymentId as string }
}

test('the methods say that the card is typed elsewhere', async () => {
  expect((await shop.call('GET', '/api/v1/payment/methods')).body.card).toEqual({ hosted: true })
})

test('a card that is typed on the gateway’s page pays the order, and never comes near the shop', async () => {
  const { paymentId } = await aPagePayment()
  const page = await pageOf(paymentId)
  expect(await (await fetch(page)).text()).toContain('Card number')
  const answer = await typeCard(page)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(
    `${shop.settings.publicUrl}/payment/result/${paymentId}?returned`,
  )
  await reached(shop, paymentId, 'Success')
  expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  expect(await paymentRow(shop, paymentId)).toMatchObject({ pan_masked: '400000******0077', method: 'card' })
  expect(shop.gateCalls.filter(({ path }) => path.endsWith('/sale'))).toEqual([])
})

test('while the page lets the customer try again, the shop leads there', async () => {
  const { customer, order, paymentId } = await aPagePayment()
  const page = await pageOf(paymentId)
  await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'awaiting customer' })
  expect((await paymentRow(shop, paymentId)).gate_status).toBe('awaiting customer')
  expect(await pageOf(paymentId)).toEqual(page)
  expect((await payOnPage(customer, order, { instead: paymentId })).status).toBe(200)
})

test('a plan is bought the same way', async () => {
  const { token } = await aCustomer(shop)
  const body = { id: planFor('31 days').id, acceptTerms: true }
  const reply = await shop.call('POST', '/api/v1/payment/gate/sale', { token, body })
  expect(reply.status).toBe(200)
  await typeCard(await pageOf(reply.body._id))
  await reached(shop, reply.body._id, 'Success')
})

test('a purchase with an id is paid once, however often it is sent', async () => {
  const { token } = await aCustomer(shop)
  const press = (more: object = {}) => {
    const body = { id: planFor('31 days').id, acceptTerms: true, purchaseId, ...more }
    return shop.call('POST', '/api/v1/payment/gate/sale', { token, body })
  }
  const purchaseId = randomUUID()
  const replies = await Promise.all([press(), press(), press()])
  const ids = new Set(replies.map(({ status, body }) => `${status} ${body._id}`))
  expect(ids.size).toBe(1)
  const paymentId = replies[0]?.body._id
  await typeCard(await pageOf(paymentId), { pan: '4111111111111111' })
  await reached(shop, paymentId, 'Decline')
  const again = (await press()).body._id
  expect(again).not.toBe(paymentId)
  await typeCard(await pageOf(again))
  await reached(shop, again, 'Success')
  await sql`update payments set ended_at = ended_at - interval '1 hour' where id = ${again}`.execute(shop.db)
  expect((await press()).body).toEqual({ _id: again })
  expect(messageFor(expectProblem(await press({ purchaseId: 'mine' }), 422), 'purchaseId')).toBeDefined()
})

test('a declined card is a declined payment, and the order can be paid again', async () => {
  const { customer, order, paymentId } = await aPagePayment()
  await typeCard(await pageOf(paymentId), { pan: '4111111111111111' })
  await reached(shop, paymentId, 'Decline')
  const again = await payOnPage(customer, order)
  await typeCard(await pageOf(again.body.paymentId))
  await reached(shop, again.body.paymentId, 'Success')
})

test('a card that is sent to the shop all the same goes no further', async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const url = `/api/v1/orders/${order.orderId}`
  const { body } = await shop.call('POST', url, { token: customer.token, body: cardBody(order) })
  await pageOf(body.paymentId)
  expect(JSON.stringify(shop.gateCalls)).not.toContain('"pan"')
  expect((await paymentRow(shop, body.paymentId)).pan_masked).toBeNull()
})

test('an address that was changed shows no card form, and nothing is charged', async () => {
  const { paymentId } = await aPagePayment()
  const page = await pageOf(paymentId)
  page.searchParams.set('payment_amount', '1')
  expect((await fetch(page)).status).toBe(400)
  expect((await typeCard(page)).status).toBe(400)
  expect(await bookOf(shop, paymentId)).toBeUndefined()
})

test('the page closes after half an hour, also for who holds its address', async () => {
  const { paymentId } = await aPagePayment()
  const { searchParams } = await pageOf(paymentId)
  const closes = Date.parse(searchParams.get('best_before') ?? '') - Date.now()
  expect(closes).toBeGreaterThan(28 * 60_000)
  expect(closes).toBeLessThan(31 * 60_000)
  const { signature: _, ...params } = Object.fromEntries(searchParams)
  const old = { ...params, best_before: '2026-01-01T00:00:00+00:00' }
  const query = new URLSearchParams({ ...old, signature: signatureOf(old, shop.settings.gate.secret) })
  expect((await fetch(`${shop.sandbox.url}/payment?${query}`)).status).toBe(400)
})

const letPass = async (paymentId: string, minutes: number) => {
  await sql`update payments set created_at = created_at - make_interval(mins => ${minutes}), next_check_at = now()
    where id = ${paymentId}`.execute(shop.db)
  await hurry(shop, 'check-payments')
}

test('who takes a while to type is waited for; who never comes loses the attempt, not the order', async () => {
  const { customer, order, paymentId } = await aPagePayment()
  await letPass(paymentId, 10)
  await until(() => wasChecked(shop, paymentId))
  expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
  await letPass(paymentId, 25)
  await reached(shop, paymentId, 'Error')
  expect((await payOnPage(customer, order)).status).toBe(200)
})

test('a callback that is lost is made up for by a check', async () => {
  const { paymentId } = await aPagePayment()
  await switchFaults(shop, { dropCallbacks: true })
  await typeCard(await pageOf(paymentId))
  await letPass(paymentId, 1)
  await reached(shop, paymentId, 'Success')
  await switchFaults(shop, { dropCallbacks: false })
})

test('without the terms, for another sum, by another customer or twice nothing is started', async () => {
  const { customer, order } = await aPagePayment()
  expectProblem(await payOnPage(customer, order), 409)
  const other = await anOrder(shop, customer)
  expectProblem(await payOnPage(customer, other, { acceptTerms: false }), 422)
  expectProblem(await payOnPage(customer, other, { total: 1 }), 422)
  expectProblem(await payOnPage(await aCustomer(shop), other), 404)
})
