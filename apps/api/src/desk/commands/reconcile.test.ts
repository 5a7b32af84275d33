import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '@hedgerow/domain/dates'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { interruptOps, opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { anEarning } from '#testing/partners.ts'
import { aPurchase, CARDS, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const MINUTES = 60_000

const reconcile = (shop: TestShop, ...args: string[]) => runOps(opsSettings(shop), 'reconcile', ...args)

/** What the shop holds of a payment, put wrong, and old enough for nobody to be at work on it. */
const spoil = (shop: TestShop, paymentId: string, change: object) =>
  shop.db
    .updateTable('payments')
    .set({ ended_at: new Date(Date.now() - 10 * MINUTES), ...change })
    .where('id', '=', paymentId)
    .execute()

/** Hands calls on to the gateway slowly, and counts how many are under way. */
const startCounter = async (gatewayUrl: string) => {
  let underWay = 0
  let most = 0
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++underWay)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await pause(100)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(gatewayUrl + request.url, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    })
    underWay--
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, most: () => most }
}

/** Purchases that have got all that follows from them. */
const settledPurchases = async (shop: TestShop, count: number): Promise<string[]> => {
  const ids = await Promise.all(Array.from({ length: count }, async () => (await aPurchase(shop)).paymentId))
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    const rows = await Promise.all(ids.map((id) => paymentRow(shop, id)))
    return rows.every(({ is_invoiced }) => is_invoiced)
  })
  return ids
}

const aSettledPurchase = async (shop: TestShop): Promise<string> => (await settledPurchases(shop, 1))[0] ?? ''

describe('ops reconcile', () => {
  test('finds no difference where there is none, after a payment of each kind', async () => {
    const shop = await startTestShop()
    const [paymentId = ''] = await settledPurchases(shop, 2)
    await runOps(opsSettings(shop), 'refund', paymentId, '--amount', '4.20', '--yes')
    await until(async () => (await paymentRow(shop, paymentId)).refunded_minor === 420)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    await reached(shop, await startPayment(shop, customer, order, { pan: CARDS.declined }), 'Decline')
    const open = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await reached(shop, open, 'awaiting 3ds result')
    const { code, out, err } = await reconcile(shop)
    expect(err).toBe('')
    expect(out).toBe('4 payments compared, no difference.\nThe partners’ books add up.\n')
    expect(code).toBe(0)
  })

  test('tells every difference, and changes nothing', async () => {
    const shop = await startTestShop()
    const bought = await settledPurchases(shop, 5)
    const [wrongSum = '', wrongCurrency = '', notInvoiced = '', owed = '', neverGiven = ''] = bought
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const declined = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, declined, 'Decline')
    const unseen = randomUUID().replaceAll('-', '')
    const { orderId } = await anOrder(shop, customer)
    await shop.db
      .insertInto('payments')
      .values({
        id: unseen,
        order_id: orderId,
        method: 'card',
        amount_minor: 3000,
        charged_minor: 3000,
        currency: 'EUR',
        charged_currency: 'EUR',
        status: 'Success',
        is_invoiced: true,
        delivered_at: new Date(),
        ended_at: new Date(),
      })
      .execute()
    await spoil(shop, wrongSum, { amount_minor: 2999, charged_minor: 2999 })
    await spoil(shop, wrongCurrency, { currency: 'GBP', charged_currency: 'GBP' })
    await spoil(shop, notInvoiced, { is_invoiced: false })
    await spoil(shop, declined, { status: 'Success', delivered_at: new Date(), is_invoiced: true })
    await spoil(shop, owed, { refund_due: true, delivered_at: null })
    await shop.db
      .insertInto('refunds')
      .values({
        id: randomUUID(),
        payment_id: neverGiven,
        amount_minor: 1050,
        reason: 'operator',
        status: 'Success',
        ended_at: new Date(),
      })
      .execute()
    const before = await shop.db.selectFrom('payments').selectAll().orderBy('id').execute()

    const { code, json } = await reconcile(shop, '--json')
    const told = json.differences.map(
      (one: Record<string, string>) => `${one.paymentId} ${one.what}: ${one.shop} | ${one.gateway}`,
    )
    expect(told.sort()).toEqual(
      [
        `${declined} status: Success | Decline`,
        `${declined} delivered without success: delivered | Decline`,
        `${unseen} status: Success | never heard of it`,
        `${unseen} delivered without success: delivered | never heard of it`,
        `${wrongSum} sum: 29.99 | 30.00`,
        `${wrongCurrency} currency: GBP | EUR`,
        `${notInvoiced} invoice missing: no invoice | `,
        `${neverGiven} refunds: 10.50 EUR | 0.00 EUR`,
      ].sort(),
    )
    expect(json).toMatchObject({ compared: 7, notCompared: [], stoppedAt: null, partnerBooks: [] })
    expect(code).toBe(1)
    expect(await shop.db.selectFrom('payments').selectAll().orderBy('id').execute()).toEqual(before)

    const table = await reconcile(shop)
    expect(table.out).toMatch(/^PAYMENT +STARTED +WHAT +IN THE SHOP +AT THE GATEWAY\n/)
    expect(table.out).toMatch(new RegExp(`\n${wrongSum} .* sum +29\\.99 +30\\.00\n`))
    expect(table.out).toMatch(
      /\n7 payments compared, 8 differences\.\nREFUND OWED FOR +SINCE +SEND BY +AMOUNT +WHY IT IS STUCK\n.* €30\.00 +nobody has requested it\n1 refund owed in all, whenever paid\. What to do: refund --help\nThe partners’ books add up\.\n$/,
    )
  })

  test('looks at the days that it is told, and no others', async () => {
    const shop = await startTestShop()
    const paymentId = await aSettledPurchase(shop)
    await sql`update payments set created_at = now() - interval '20 days' where id = ${paymentId}`.execute(
      shop.db,
    )
    const countOf = async (...args: string[]) => (await reconcile(shop, '--json', ...args)).json.compared
    const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
    expect(await countOf()).toBe(0)
    expect(await countOf('--days', '21')).toBe(1)
    expect(await countOf('--since', dayAgo(21))).toBe(1)
    expect(await countOf('--since', dayAgo(21), '--days', '2')).toBe(1)
    expect(await countOf('--since', dayAgo(30), '--days', '5')).toBe(0)
    expect(await countOf('--since', dayAgo(18))).toBe(0)
  })

  test('a gateway that does not answer is no difference: it says where to go on', async () => {
    const shop = await startTestShop()
    const paymentId = await aSettledPurchase(shop)
    const { created_at } = await paymentRow(shop, paymentId)
    await switchFaults(shop, { failCalls: 1 })
    const down = await reconcile(shop)
    expect(down.err).toBe(
      `No gateway answers. To continue from there: reconcile --since ${created_at.toISOString()}\n`,
    )
    expect(down.code).toBe(3)
    await switchFaults(shop, { failCalls: 0 })
    const again = await reconcile(shop, '--since', created_at.toISOString())
    expect(again.out).toBe('1 payment compared, no difference.\nThe partners’ books add up.\n')
    expect(again.code).toBe(0)
  })

  test('interrupted, it tells what it has found and where to go on', async () => {
    const shop = await startTestShop()
    await aSettledPurchase(shop)
    await switchFaults(shop, { hangCalls: 1 })
    const before = shop.gateCalls.length
    const since = new Date(Date.now() - 86_400_000).toISOString()
    const { code, out, err } = await interruptOps(
      { ...opsSettings(shop), GATE_URL: shop.settings.gate.url },
      // The gateway was asked, and keeps its answer to itself.
      () => until(() => shop.gateCalls.length > before),
      ['reconcile', '--since', since],
    )
    expect(out).toBe('0 payments compared, no difference.\n')
    expect(err).toBe(`Interrupted. To continue from there: reconcile --since ${since}\n`)
    expect(code).toBe(130)
  })

  test('tells when the partners’ books do not add up, even where the gateway agrees', async () => {
    const shop = await startTestShop()
    const partner = await aCustomer(shop)
    await anEarning(shop, partner.id, 30_000)
    await sql`update partner_balances set available_minor = available_minor + 1 where partner_id = ${partner.id}`.execute(
      shop.db,
    )
    const { code, json } = await reconcile(shop, '--since', '2026-11-01', '--days', '1', '--json')
    expect(json).toMatchObject({ differences: [], compared: 0 })
    expect(json.partnerBooks).toEqual([
      {
        what: 'balance is not the sum of its transfers: available',
        partner: partner.id,
        currency: 'EUR',
        about: null,
        has: '300.01',
        should: '300.00',
      },
    ])
    expect(code).toBe(1)
    const table = await reconcile(shop, '--since', '2026-11-01', '--days', '1')
    expect(table.out).toMatch(/balance is not the sum .* 300\.01 +300\.00\n/)
    expect(table.out).toMatch(/The partners’ books do not add up: 1 fault\.\n$/)
  })

  test('asks the gateway about four payments at a time at most', async () => {
    const shop = await startTestShop()
    await settledPurchases(shop, 6)
    const counter = await startCounter(shop.sandbox.url)
    const { code } = await runOps({ ...opsSettings(shop), GATE_URL: counter.url }, 'reconcile')
    expect(code).toBe(0)
    expect(counter.most()).toBe(4)
  })
})
