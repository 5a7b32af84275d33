import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { aLostPayment, unknownRows } from '#testing/lost-payments.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { aPurchase, connectionsOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { refundAtGateway, refundsOf } from '#testing/refunds.ts'
import {
  aDataApi,
  bookAtGateway,
  DAYS,
  dataOperation,
  payOut,
  settlement,
  settlementOn,
} from '#testing/settlement.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const refund = async (shop: TestShop, paymentId: string, amountMinor?: number) => {
  await requestRefund(shop, { paymentId, amountMinor, isAgain: true })
  await until(async () =>
    (await refundsOf(shop, paymentId)).every(({ status, is_by_hand }) => status === 'Success' || is_by_hand),
  )
}

/** Purchases by each way of paying, in both currencies and in złoty, with refunds of each kind. */
const aMonth = async (shop: TestShop) => {
  const whole = await aPurchase(shop)
  const part = await aPurchase(shop)
  await setRate(shop, 'EUR', 4_250_000)
  const customer = await aCustomer(shop)
  const blik = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
  await reached(shop, blik, 'awaiting redirect result')
  await answerElsewhere(shop, blik, 'approve', '123456')
  await reached(shop, blik, 'Success')
  const bank = await startBy(payByBank, shop, customer, await anOrder(shop, customer, { currency: 'GBP' }), {
    bankId: BANKS.noConsent,
  })
  await reached(shop, bank, 'awaiting redirect result')
  await answerElsewhere(shop, bank)
  await reached(shop, bank, 'Success')
  await refund(shop, whole.paymentId)
  await refund(shop, part.paymentId, 100)
  await refund(shop, part.paymentId, 100)
  await refund(shop, blik, 500)
  await refund(shop, bank)
  await resolveRefund(shop, { paymentId: bank, verdict: 'sent' })
  return { whole: whole.paymentId, part: part.paymentId, blik, bank }
}

describe('ops settlement fetch and show', () => {
  test('agree with the shop on sales by each way of paying and refunds of each kind', async () => {
    const shop = await startTestShop()
    const ids = await aMonth(shop)
    const first = await settlement(shop, 'fetch', ...DAYS, '--json')
    expect(first.err).toBe('')
    expect(first.json).toMatchObject({ operations: 8, new: 8, same: 0, changed: [], unreadable: [] })
    await payOut(shop)
    const again = await settlement(shop, 'fetch', ...DAYS, '--json')
    expect(again.json).toMatchObject({ operations: 11, new: 3, same: 8, changed: [] })
    const shown = await settlement(shop, 'show', ...DAYS, '--json')
    expect(shown.json).toMatchObject({ operations: 11, onlyAtGateway: [], onlyInShop: [], differing: [] })
    expect(shown.code).toBe(0)
    const { charged_minor } = await paymentRow(shop, ids.blik)
    const inZloty = shown.json.currencies.find(({ currency }: { currency: string }) => currency === 'PLN')
    expect(inZloty).toMatchObject({
      sales: (charged_minor / 100).toFixed(2),
      refunds: '-5.00',
      opening: '0.00',
    })
    for (const { payouts, change } of shown.json.currencies) {
      expect(payouts).toMatch(/^-/)
      expect(change).toBe('0.00')
    }
    const { out, code } = await settlement(shop, 'show', ...DAYS)
    expect(out).toContain('11 operations of 11 in order.')
    expect(out).toContain('The gateway and the shop agree.')
    expect(code).toBe(0)
  })

  test('tell what is held in reserve and released apart from fees and corrections, however a report signs it', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await bookAtGateway(shop, { type: 'reserve', amount: 300, currency: 'EUR', payment_id: paymentId })
    await bookAtGateway(shop, { type: 'reserve', amount: 200, currency: 'EUR' })
    await bookAtGateway(shop, { type: 'reserve release', amount: 100, currency: 'EUR' })
    await settlement(shop, 'fetch', ...DAYS)
    const { json, code } = await settlement(shop, 'show', ...DAYS, '--json')
    expect(json).toMatchObject({ onlyAtGateway: [], onlyInShop: [], differing: [] })
    expect(json.currencies).toMatchObject([
      { reserves: '-5.00', releases: '1.00', corrections: '0.00', isOff: false },
    ])
    expect(code).toBe(0)
    const { out } = await settlement(shop, 'show', ...DAYS)
    expect(out).toMatch(/Held in reserve +-€?5\.00/)
  })

  test('find money that only one of the two knows, and let it be explained', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    const [lost, elsewhere] = [await aPurchase(shop), await aPurchase(shop)]
    await bookAtGateway(shop, { type: 'balance correction', amount: -250, currency: 'EUR' })
    await bookAtGateway(shop, { type: 'sale', amount: 4711, currency: 'EUR', payment_id: 'nobodys', fee: 86 })
    await bookAtGateway(shop, { type: 'chargeback', amount: 300, currency: 'EUR', payment_id: paymentId })
    await shop.db.updateTable('payments').set({ charged_minor: 1 }).where('id', '=', lost.paymentId).execute()
    await settlement(shop, 'fetch', ...DAYS)
    await shop.db.deleteFrom('settlement_operations').where('payment_id', '=', elsewhere.paymentId).execute()
    const { json, code } = await settlement(shop, 'show', ...DAYS, '--json')
    expect(json.onlyAtGateway).toMatchObject([
      { kind: 'correction', amount: '-2.50', currency: 'EUR' },
      { kind: 'sale', amount: '47.11', paymentId: 'nobodys', fee: '0.86' },
      { kind: 'chargeback', amount: '-3.00' },
    ])
    expect(json.onlyInShop).toMatchObject([{ kind: 'sale', paymentId: elsewhere.paymentId }])
    expect(json.differing).toMatchObject([{ shop: { paymentId: lost.paymentId, amount: '0.01' } }])
    expect(code).toBe(1)
    const { out } = await settlement(shop, 'list')
    expect(out).toContain('nobodys')
    const { alerts } = (await runOps(opsSettings(shop), 'overview', '--json')).json
    expect(alerts).toContainEqual(expect.objectContaining({ name: 'SettlementDiffers', count: 4 }))
    for (const { id } of (await settlement(shop, 'list', '--json')).json.open)
      expect((await settlement(shop, 'explain', id, '--text', 'Agreed with the gateway')).code).toBe(0)
    expect((await settlement(shop, 'list', '--json')).json.open).toEqual([])
    const explained = (await settlement(shop, 'show', ...DAYS, '--json')).json
    expect(explained.onlyAtGateway).toEqual([])
    expect(explained.explained).toHaveLength(3)
    expect((await settlement(shop, 'explain', '1', '--text', 'Nothing')).code).toBe(1)
  })

  test('know of refunds that were made at the gateway, and of other sums than were asked for', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await refundAtGateway(shop, paymentId, { amount: 200, currency: 'EUR' })
    await switchFaults(shop, { payOtherSums: 1 })
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    await reached(shop, await startPayment(shop, customer, order), 'Error')
    await expect
      .poll(
        async () => {
          await settlement(shop, 'fetch', ...DAYS)
          const { json } = await settlement(shop, 'show', ...DAYS, '--json')
          return [json.onlyAtGateway, json.onlyInShop, json.differing, json.operations]
        },
        { timeout: 60_000 },
      )
      .toEqual([[], [], [], 4])
  })

  test('tell customers and operators by what number the bank finds a refund, however late it is known', async () => {
    const shop = await startTestShop()
    const { customer, paymentId } = await aPurchase(shop)
    await refund(shop, paymentId, 100)
    const { text } = await mailbox(shop).latest(customer.email, 'We have refunded')
    expect(text.replace(/\s+/g, ' ')).toContain('Your payment history will show a reference')
    const reference = async () => {
      const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
      return body[0].refunds[0].reference
    }
    expect(await reference()).toBeUndefined()
    await settlement(shop, 'fetch', ...DAYS)
    const arn = await reference()
    expect(arn).toMatch(/^\d{23}$/)
    // As a gateway tells it that had no number at first.
    const explained = { explanation: 'Looked at', explained_at: new Date(), arn: null, rrn: null }
    const ofRefund = shop.db.updateTable('settlement_operations').where('kind', '=', 'refund')
    await ofRefund.set(explained).execute()
    expect(await reference()).toBeUndefined()
    const { json } = await settlement(shop, 'fetch', ...DAYS, '--json')
    expect(json).toMatchObject({ new: 0, same: 2, changed: [] })
    expect(await reference()).toBe(arn)
    const kept = await shop.db
      .selectFrom('settlement_operations')
      .select(['standing', 'explanation'])
      .where('kind', '=', 'refund')
      .execute()
    expect(kept).toEqual([{ standing: 'known', explanation: 'Looked at' }])
    // Another payment's operation of the same id tells nothing.
    await ofRefund.set({ payment_id: 'f'.repeat(32) }).execute()
    expect(await reference()).toBeUndefined()
  })

  test('lead to asking the gateway where its callbacks were lost, of which each is made up for once', async () => {
    const shop = await startTestShop()
    const refunded = await aPurchase(shop)
    await switchFaults(shop, { dropCallbacks: true, callbackDelayMs: 1_000 })
    expect(await refundAtGateway(shop, refunded.paymentId, { amount: 500, currency: 'EUR' })).toBe(200)
    const customer = await aCustomer(shop)
    const late = await startPayment(shop, customer, await anOrder(shop, customer))
    await sendUpdate(shop, {
      ...{ paymentId: late, amountMinor: 3000, currency: 'EUR', status: 'decline' },
      at: new Date(Date.now() - 60_000),
    })
    await reached(shop, late, 'Decline')
    const unknown = await aLostPayment(shop, { customerId: customer.id })
    await until(async () => (await bookOf(shop, late))?.status === 'success')
    expect(await connectionsOf(shop, late)).toEqual([])

    await settlement(shop, 'fetch', ...DAYS)
    await reached(shop, late, 'Success')
    expect(await connectionsOf(shop, late)).toHaveLength(3)
    await until(async () => (await refundsOf(shop, refunded.paymentId)).length > 0)
    expect(await refundsOf(shop, refunded.paymentId)).toMatchObject([
      { status: 'Success', amount_minor: 500 },
    ])
    // Its number was known before the refund was.
    const { text } = await mailbox(shop).latest(refunded.customer.email, 'We have refunded')
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /If your bank cannot find it, give them this reference: \d{23}\./,
    )
    await hurry(shop, 'fetch-settlement')
    await until(async () => (await unknownRows(shop)).length > 0)
    expect(await unknownRows(shop)).toMatchObject([
      { payment_id: unknown, status: 'Success', amount_minor: '3000', gate_customer_id: customer.id },
    ])
    const { json } = await settlement(shop, 'list', '--json')
    expect(json.open).toMatchObject([{ paymentId: unknown }])
    expect(await refundsOf(shop, refunded.paymentId)).toHaveLength(1)
    // At the gateway, too: nothing was sent a second time.
    expect(await bookOf(shop, refunded.paymentId)).toMatchObject({ refunded: 500, remaining: 2500 })
  })

  test('note the card’s country where the sale asked for one, and leave that of others', async () => {
    const shop = await startTestShop()
    const [asked, notAsked] = [await aPurchase(shop), await aPurchase(shop)]
    await sql`update payments set vat_country = 'DE' where id = ${asked.paymentId}`.execute(shop.db)
    await settlement(shop, 'fetch', ...DAYS)
    expect((await paymentRow(shop, asked.paymentId)).bank_country).toBe('GB')
    expect((await paymentRow(shop, notAsked.paymentId)).bank_country).toBeNull()
  })

  test('take up again where the gateway went away between pages', async () => {
    const shop = await startTestShop()
    const rows = Array.from({ length: 2500 }, (_, at) => dataOperation(at + 1))
    let isAway = true
    const api = await aDataApi(({ offset, limit }, path) =>
      path.endsWith('/balance/get')
        ? { body: { nothing: true } }
        : isAway && offset > 1500
          ? { status: 503, body: {} }
          : { body: { operations: rows.slice(offset, offset + limit) } },
    )
    const broken = await settlementOn(shop, api, 'fetch', ...DAYS)
    expect(broken.code).toBe(3)
    expect(broken.err).toContain('What had come is kept: do the same again.')
    const { runs } = (await settlement(shop, 'list', '--json')).json
    expect(runs.filter(({ gateway }: { gateway: string }) => gateway === 'gate')).toMatchObject([
      { new: 2000, endedAt: null },
    ])
    isAway = false
    const whole = await settlementOn(shop, api, 'fetch', ...DAYS, '--json')
    expect(whole.json).toMatchObject({ operations: 2500, new: 500, same: 2000, hasBalances: false })
  })

  test('tell what the gateway has changed, and what could not be read', async () => {
    const shop = await startTestShop()
    let rows = [
      dataOperation(1),
      dataOperation(2, { operation_type: 'auth' }),
      dataOperation(3, { project_id: 4 }),
      dataOperation(4, { sum_initial: 'ten' }),
      dataOperation(5, { operation_type: 'mystery', account_number: '4000000000000077' }),
      dataOperation(6, { sum_initial: { amount: 1500, currency: 'JPY' }, fee: undefined }),
    ]
    const api = await aDataApi(({ offset }) => ({ body: { operations: offset ? [] : rows } }))
    const first = await settlementOn(shop, api, 'fetch', ...DAYS)
    expect(first.code).toBe(1)
    expect(first.out).toMatch(/Unreadable +4: sum_initial/)
    expect(first.out).toMatch(/Operations +3\nNew +3\n/)
    rows = [dataOperation(1, { operation_status: 'decline', fee: { amount: 10, currency: 'EUR' } })]
    const second = await settlementOn(shop, api, 'fetch', ...DAYS)
    expect(second.out).toMatch(/1\s+status\s+success\s+decline/)
    expect(second.out).toMatch(/1\s+fee\s+0.62 EUR\s+0.10 EUR/)
    const { json } = await settlement(shop, 'show', ...DAYS, '--json')
    expect(json.currencies).toMatchObject([
      { currency: 'EUR', sales: '0.00', fees: '-0.72', corrections: '30.00' },
      { currency: 'JPY', sales: '1500', change: '1500' },
    ])
    const kept = await shop.db.selectFrom('settlement_operations').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('4000000000000077')
  })

  test.each([
    ['a page again and again', { operations: [dataOperation(1)] }, 'the same page again and again'],
    ['no list', { hello: 1 }, 'without a list of operations'],
    ['a refusal', undefined, 'did not answer'],
  ])('refuse %s', async (_, body, said) => {
    const shop = await startTestShop()
    const api = await aDataApi(() => ({ status: body ? 200 : 403, body: body ?? {} }))
    const { code, err } = await settlementOn(shop, api, 'fetch', ...DAYS)
    expect(err).toContain(said)
    expect(code).toBe(3)
  })

  test('are refused for days that are none, and say so where nothing is known', async () => {
    const shop = await startTestShop()
    const days = ['--from', '2026-11-31', '--to', '2026-11-30']
    expect((await settlement(shop, 'fetch', ...days)).code).toBe(2)
    const around = ['--from', '2026-11-02', '--to', '2026-11-01']
    expect((await settlement(shop, 'show', ...around)).err).toContain('--from is after --to')
    expect((await settlement(shop, 'show', '--month', '2020-01')).out).toContain('Nothing is known')
    expect((await settlement(shop, 'show', '--from', '2020-01-01', '--to', '2020-01-31')).out).toContain(
      'Nothing is known of that period.',
    )
    expect((await settlement(shop, 'show')).err).toContain('give --from and --to, or --month, or --quarter')
  })
})
