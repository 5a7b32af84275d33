import { signatureOf } from '@hedgerow/gate/signature'
import { callerOf } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSettings, requireGate } from '#platform/settings.ts'
import { startServer } from '#server/server.ts'
import { aCustomer } from '#testing/customers.ts'
import { wasChecked } from '#testing/due-checks.ts'
import { BY_CALLBACK_ALONE, bookOf, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, metadataOf, payByBank, startBy } from '#testing/payment-methods.ts'
import { connectionsOf, paymentRow, reached, startPayment, statusOf } from '#testing/payments.ts'
import { environmentOf, openGround, shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { OPEN_BANKING_COUNTRIES: 'uk,germany' } })

/** The specification's payload: it names no bank. */
const start = async (currency: 'EUR' | 'GBP' = 'GBP', fields: object = {}) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, { currency })
  const paymentId = await startBy(payByBank, shop, customer, order, { ...fields })
  return { customer, order, paymentId }
}

/** Where the customer is sent, on the sandbox itself. */
const pageOf = async (paymentId: string): Promise<URL> => {
  expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
  const { url, method, body } = await metadataOf(shop, paymentId)
  expect([method, body]).toEqual(['GET', {}])
  expect(url).toContain(shop.settings.gate.pageUrl)
  return new URL(`${shop.sandbox.url}/payment${new URL(url).search}`)
}

const choose = (page: URL, bank: string): Promise<Response> =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ bank_id: bank }), redirect: 'manual' })

/** Goes where the gateway's page leads to, and answers there. Returns where the bank sends the customer. */
const answerAtBank = async (chosen: Response, answer: 'approve' | 'refuse') => {
  const bank = new URL(chosen.headers.get('location') ?? '')
  const session = bank.searchParams.get('session') ?? ''
  const body = new URLSearchParams({ session, answer })
  const reply = await fetch(bank, { method: 'POST', body, redirect: 'manual' })
  return reply.headers.get('location')
}

const letPass = async (paymentId: string, minutes: number) => {
  await sql`update payments set created_at = created_at - make_interval(mins => ${minutes}), next_check_at = now()
    where id = ${paymentId}`.execute(shop.db)
  await hurry(shop, 'check-payments')
}

describe('paying from a bank account without naming the bank', () => {
  test('leads to the gateway’s page, where the bank is chosen, then to the bank, then delivers', async () => {
    const { paymentId } = await start()
    const page = await pageOf(paymentId)
    const shown = await (await fetch(page)).text()
    for (const part of ['Choose your bank', 'Barclays', 'Starling', '£30.00']) expect(shown).toContain(part)
    expect(shown).not.toContain('Deutsche Bank')
    const chosen = await choose(page, BANKS.consent)
    expect([chosen.status, chosen.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(`${shop.sandbox.url}/at-bank/${paymentId}?session=`),
    ])
    const result = `${shop.settings.publicUrl}/payment/result/${paymentId}?returned`
    expect(await answerAtBank(chosen, 'approve')).toBe(result)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      method: 'open_banking',
      charged_currency: 'GBP',
    })
    const sales = shop.gateCalls.filter(
      ({ path, body }) => path.endsWith('/sale') && body.general.payment_id === paymentId,
    )
    expect(sales).toEqual([])
  })

  test('tells the page who pays, and that only banks are to be offered', async () => {
    const { paymentId, customer, order } = await start()
    const { searchParams } = await pageOf(paymentId)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      payment_id: paymentId,
      payment_amount: '3000',
      payment_currency: 'GBP',
      force_payment_group: 'openbanking',
      customer_id: customer.id,
      customer_email: 'ada@example.org',
      customer_first_name: 'Ada',
      customer_last_name: 'Lovelace',
      merchant_return_url: `${shop.settings.publicUrl}/checkout/${order.orderId}`,
    })
    expect(searchParams.has('force_payment_method')).toBe(false)
  })

  test('offers the banks of the order’s currency, by country', async () => {
    const { paymentId } = await start('EUR')
    const page = await pageOf(paymentId)
    const shown = await (await fetch(page)).text()
    for (const part of ['Germany', 'Deutsche Bank', 'France', '€30.00']) expect(shown).toContain(part)
    expect(shown).not.toContain('Barclays')
    expect((await choose(page, BANKS.consent)).status).toBe(400)
    expect(await bookOf(shop, paymentId)).toBeUndefined()
    await answerAtBank(await choose(page, BANKS.inGermany), 'approve')
    await reached(shop, paymentId, 'Success')
  })

  test('ends in a decline when the customer refuses at the bank, and can be paid again', async () => {
    const { paymentId, customer, order } = await start()
    await answerAtBank(await choose(await pageOf(paymentId), BANKS.noConsent), 'refuse')
    await reached(shop, paymentId, 'Decline')
    expect(await metadataOf(shop, paymentId)).toEqual({
      reason: 'You cancelled the payment.',
      again: `/checkout/${order.orderId}`,
    })
    await reached(shop, await startPayment(shop, customer, order), 'Success')
  })

  test.each([
    ['payment_amount', '1'],
    ['force_payment_group', 'card'],
    ['merchant_success_url', 'https://elsewhere.example/'],
  ])('an address whose %s was changed shows no bank, and starts nothing', async (name, value) => {
    const { paymentId } = await start()
    const page = await pageOf(paymentId)
    page.searchParams.set(name, value)
    expect((await fetch(page)).status).toBe(400)
    expect((await choose(page, BANKS.consent)).status).toBe(400)
    page.searchParams.delete(name)
    expect((await fetch(page)).status).toBe(400)
    expect(await bookOf(shop, paymentId)).toBeUndefined()
  })

  test.each(['999999', 'words', ''])(
    'the bank %j is not one of the page’s, and starts nothing',
    async (bank) => {
      const { paymentId } = await start()
      const page = await pageOf(paymentId)
      const reply = await choose(page, bank)
      expect([reply.status, await reply.text()]).toEqual([
        400,
        expect.stringContaining('Choose a bank from the list'),
      ])
      await answerAtBank(await choose(page, BANKS.consent), 'approve')
      await reached(shop, paymentId, 'Success')
    },
  )

  test('who chooses twice, or comes back to the page, is led to the bank that was chosen first', async () => {
    const { paymentId } = await start()
    const page = await pageOf(paymentId)
    const first = (await choose(page, BANKS.consent)).headers.get('location')
    expect((await choose(page, BANKS.noConsent)).headers.get('location')).toBe(first)
    expect((await fetch(page, { redirect: 'manual' })).headers.get('location')).toBe(first)
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect((await choose(page, BANKS.noConsent)).headers.get('location')).toContain(
      `/payment/result/${paymentId}`,
    )
  })

  test('who takes a while to choose is waited for; who never does loses the attempt, not the order', async () => {
    const { customer, order, paymentId } = await start()
    await letPass(paymentId, 10)
    await until(() => wasChecked(shop, paymentId))
    expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
    expect(expectProblem(await payByBank(shop, customer, order), 409).body).toMatchObject({
      code: 'payment-under-way',
      paymentId,
    })
    await letPass(paymentId, 25)
    await reached(shop, paymentId, 'Error')
    expect((await metadataOf(shop, paymentId)).again).toBe(`/checkout/${order.orderId}`)
    expect((await payByBank(shop, customer, order)).status).toBe(200)
  })

  test('who is still at the bank when the page has closed is waited for', async () => {
    const { paymentId } = await start()
    const chosen = await choose(await pageOf(paymentId), BANKS.consent)
    await letPass(paymentId, 40)
    await until(() => wasChecked(shop, paymentId))
    expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
    await answerAtBank(chosen, 'approve')
    await reached(shop, paymentId, 'Success')
  })

  test('can be left for another way to pay, and what is approved all the same is given back', async () => {
    const { customer, order, paymentId } = await start()
    const chosen = await choose(await pageOf(paymentId), BANKS.consent)
    const paid = await startPayment(shop, customer, order, { instead: paymentId })
    await reached(shop, paid, 'Success')
    await answerAtBank(chosen, 'approve')
    await reached(shop, paymentId, 'Success')
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refund_due: true })
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('a bank that promises the money first is waited for', async () => {
    const { paymentId } = await start()
    await answerAtBank(await choose(await pageOf(paymentId), BANKS.confirmedLater), 'approve')
    await reached(shop, paymentId, 'Success')
  })

  test('a callback that is lost is made up for by a check', async () => {
    const { paymentId } = await start()
    await switchFaults(shop, { dropCallbacks: true })
    await answerAtBank(await choose(await pageOf(paymentId), BANKS.consent), 'approve')
    await letPass(paymentId, 1)
    await reached(shop, paymentId, 'Success')
    await switchFaults(shop, { dropCallbacks: false })
  })

  test('the page closes after half an hour, also for who holds its address', async () => {
    const { paymentId } = await start()
    const { signature: _, ...params } = Object.fromEntries((await pageOf(paymentId)).searchParams)
    const old = { ...params, best_before: '2026-01-01T00:00:00+00:00' }
    const query = new URLSearchParams({ ...old, signature: signatureOf(old, shop.settings.gate.secret) })
    expect((await choose(new URL(`${shop.sandbox.url}/payment?${query}`), BANKS.consent)).status).toBe(400)
    expect(await bookOf(shop, paymentId)).toBeUndefined()
  })
})

describe('where the operator has set no page to choose a bank on', () => {
  test('a bank has to be named, and the methods say so', async () => {
    const ground = await openGround({ env: { OPEN_BANKING_COUNTRIES: 'uk' } })
    const settings = requireGate(readSettings(environmentOf(ground, await freePort())))
    // As in production, where no page is taken for granted.
    const server = await startServer({ settings: { ...settings, gate: { ...settings.gate, pageUrl: '' } } })
    onTestFinished(async () => {
      await server.stop()
      await ground.close()
    })
    const own = { ...ground, call: callerOf(server.url) }
    const customer = await aCustomer(own)
    const order = await anOrder(own, customer, { currency: 'GBP' })
    const reply = expectProblem(await payByBank(own, customer, order), 422)
    expect(messageFor(reply, 'bankId')).toBe('Choose a bank from the list')
    expect(await own.db.selectFrom('payments').selectAll().execute()).toEqual([])
    const { openBanking } = (await own.call('GET', '/api/v1/payment/methods')).body
    expect(openBanking).toEqual({ currencies: ['GBP'], needsBank: true })
    const paymentId = await startBy(payByBank, own, customer, order, { bankId: BANKS.noConsent })
    await until(async () => (await statusOf(own, paymentId)) === 'awaiting redirect result')
  })
})

test('a bank that cannot be looked up is said so, and starts nothing', async () => {
  const own = await startTestShop({ env: { OPEN_BANKING_COUNTRIES: 'uk' } })
  await switchFaults(own, { ...BY_CALLBACK_ALONE, failCalls: true })
  const customer = await aCustomer(own)
  const order = await anOrder(own, customer, { currency: 'GBP' })
  const reply = expectProblem(await payByBank(own, customer, order, { bankId: BANKS.consent }), 503)
  expect(reply.body).toMatchObject({
    code: 'banks-unknown',
    detail: expect.stringContaining('Nothing was charged.'),
  })
  expect(await own.db.selectFrom('payments').selectAll().execute()).toEqual([])
  // The page of the gateway may be there all the same.
  await startBy(payByBank, own, customer, order)
})
