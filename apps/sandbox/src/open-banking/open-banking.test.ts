import { describe, expect, test } from 'vitest'
import {
  answerFor,
  aTransfer,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  reached,
  soldAs,
  startTestSandbox,
} from '#testing/merchant.ts'

const BARCLAYS = 3541
const MONZO = 3851
const STARLING = 3871
const NATIONWIDE = 3701

type Sandbox = Awaited<ReturnType<typeof startTestSandbox>>

const transfer = (sandbox: Sandbox, bankId: number | string, callbackUrl?: string) =>
  call(sandbox, '/banks/uk/sale', 'ord_1', aTransfer(bankId, callbackUrl))

const clarify = (sandbox: Sandbox, customer: Json) =>
  call(sandbox, '/clarification', 'ord_1', { additional_data: { customer } })

/** A customer at their bank. */
const atBank = async (bankId = MONZO, callbackUrl?: string) => {
  const sandbox = await startTestSandbox()
  await transfer(sandbox, bankId, callbackUrl)
  const { redirect_data } = await reached(sandbox, 'ord_1', 'awaiting redirect result')
  const session = redirect_data.body.session ?? new URL(redirect_data.url).searchParams.get('session')
  const press = (answer: string) =>
    fetch(redirect_data.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ session, answer }),
    })
  return { sandbox, redirect_data, press }
}

describe('POST /v2/info/banks/{country}/sale/list', () => {
  test('lists the banks of the United Kingdom for any sum', async () => {
    const payment = { amount: 1, currency: 'GBP' }
    const { status, body } = await call(await startTestSandbox(), '/info/banks/uk/sale/list', 'any', {
      payment,
    })
    expect(status).toBe(200)
    expect(body).toHaveLength(9)
    expect(body[0]).toEqual({
      id: BARCLAYS,
      abbr: 'BARCLAYS',
      name: 'Barclays',
      nativeName: 'Barclays',
      currencies: [{ id: 826, alpha_3_4217: 'GBP', exponent: 2 }],
      min_amount: 1,
      max_amount: 1_000_000,
      limitCurrency: 'GBP',
    })
  })

  test.each(['germany', 'france', 'spain', 'netherlands', 'poland'])('has banks in %s', async (country) => {
    const { body } = await call(await startTestSandbox(), `/info/banks/${country}/sale/list`, 'any', {
      payment: { amount: 100, currency: 'EUR' },
    })
    expect(body.length).toBeGreaterThan(2)
    expect(body[0].limitCurrency).toBe(country === 'poland' ? 'PLN' : 'EUR')
  })

  test('wants a sum, and a true signature', async () => {
    const sandbox = await startTestSandbox()
    const path = '/info/banks/uk/sale/list'
    expect((await call(sandbox, path, 'any')).body.code).toBe('2004')
    const payment = { amount: 1, currency: 'GBP' }
    expect((await call(sandbox, path, 'any', { payment }, 'guessed')).body.code).toBe('3261')
  })
})

describe('POST /v2/payment/banks/{country}/sale', () => {
  test.each([
    ['in another currency', 'payment', { amount: 3405, currency: 'EUR' }, '2641'],
    ['above the limit', 'payment', { amount: 1_000_001, currency: 'GBP' }, '2642'],
    ['at a bank that is not in the list', 'account', { bank_id: 5101 }, '2641'],
    ['at no bank', 'account', {}, '2004'],
    ['without a way back', 'return_url', {}, '2004'],
  ])('refuses a transfer %s', async (_what, part, value, code) => {
    const sandbox = await startTestSandbox()
    const body = { ...aTransfer(BARCLAYS), [part]: value }
    const reply = await call(sandbox, '/banks/uk/sale', 'ord_1', body)
    expect([reply.status, reply.body.code]).toEqual([400, code])
    expect(reply.body.errors).toHaveLength(1)
    expect(await booksOf(sandbox)).toEqual([])
  })

  test('has no call for a country without banks', async () => {
    const reply = await call(await startTestSandbox(), '/banks/atlantis/sale', 'ord_1', aTransfer(BARCLAYS))
    expect(reply.status).toBe(404)
  })

  test('asks for consent first, then sends the customer to the bank', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await transfer(sandbox, String(BARCLAYS), shop.url)
    const [asked] = await shop.received(1)
    expect(shop.isSigned(asked)).toBe(true)
    expect(asked).toMatchObject({
      payment: { status: 'awaiting clarification', method: 'Open Banking UK' },
      operation: { status: 'awaiting clarification', code: '9999' },
    })
    expect(asked).not.toHaveProperty('account')
    const { properties, required, errors } = asked.clarification_fields.customer
    expect(properties.psu_consent_text.default).toMatch(/^I agree/)
    expect([required, errors]).toEqual([['psu_consent'], []])

    expect((await clarify(sandbox, { psu_consent: true })).status).toBe(200)
    const [, sent] = await shop.received(2)
    expect(sent.payment.status).toBe('awaiting redirect result')
    expect(sent).not.toHaveProperty('clarification_fields')
    expect(sent.redirect_data).toEqual({
      method: 'GET',
      body: [],
      encrypted: [],
      url: expect.stringContaining(`${sandbox.url}/at-bank/ord_1?session=`),
    })
  })

  test('takes the text of the consent, sent back, as a yes', async () => {
    const sandbox = await startTestSandbox()
    await transfer(sandbox, BARCLAYS)
    const { clarification_fields } = await reached(sandbox, 'ord_1', 'awaiting clarification')
    const { psu_consent_text } = clarification_fields.customer.properties
    await clarify(sandbox, { psu_consent_text: psu_consent_text.default })
    await reached(sandbox, 'ord_1', 'awaiting redirect result')
  })

  test('ends when the consent is refused', async () => {
    const sandbox = await startTestSandbox()
    await transfer(sandbox, BARCLAYS)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    await clarify(sandbox, { psu_consent: false })
    expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('20301')
  })

  test.each([
    ['approve', 'success', '0'],
    ['refuse', 'decline', '20301'],
  ])('to %s at the bank leads to %s, told by callback', async (answer, outcome, code) => {
    const shop = await openShop()
    const { press } = await atBank(MONZO, shop.url)
    const reply = await press(answer)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, 'https://shop.example/payment/back'])
    const callbacks = await shop.received(2)
    expect(callbacks.at(-1)).toMatchObject({ payment: { status: outcome }, operation: { code } })
    expect((await press('refuse')).status).toBe(410)
  })

  test('shows a page that says what is paid, and lets the customer leave without an answer', async () => {
    const { sandbox, redirect_data } = await atBank()
    const page = await (await fetch(redirect_data.url)).text()
    for (const shown of ['Monzo', '£34.05', 'Example Merchant', '31 days, 5 connections']) {
      expect(page).toContain(shown)
    }
    expect(page).toContain('href="https://shop.example/payment/back">Leave without an answer</a>')
    await reached(sandbox, 'ord_1', 'awaiting redirect result')
  })

  test('opens the page of a payment to nobody without its session', async () => {
    const { sandbox } = await atBank()
    for (const url of ['/at-bank/ord_1', '/at-bank/ord_1?session=guessed', '/at-bank/ord_2?session=']) {
      expect((await fetch(sandbox.url + url)).status).toBe(410)
    }
  })

  test('reaches one bank by a form', async () => {
    const sandbox = await startTestSandbox()
    await transfer(sandbox, STARLING)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    await clarify(sandbox, { psu_consent: true })
    const { redirect_data } = await reached(sandbox, 'ord_1', 'awaiting redirect result')
    expect(redirect_data).toMatchObject({ method: 'POST', body: { session: expect.any(String), lang: 'en' } })
    const body = new URLSearchParams(redirect_data.body)
    const page = await (await fetch(redirect_data.url, { method: 'POST', body })).text()
    expect(page).toContain('Starling')
  })

  test('waits at one bank for the money after the sale has succeeded', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await transfer(sandbox, NATIONWIDE, shop.url)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    await clarify(sandbox, { psu_consent: true })
    await reached(sandbox, 'ord_1', 'awaiting redirect result')
    await answerFor(sandbox, 'ord_1', { answer: 'approve' })
    const callbacks = await shop.received(4)
    // Two callbacks close together may overtake each other.
    const told = (status: string) => callbacks.find((each) => each.payment.status === status)
    expect(told('awaiting confirmation').operation).toMatchObject({ type: 'sale', status: 'success' })
    expect(told('success').operation).toMatchObject({ type: 'payment confirmation', status: 'success' })
  })

  test('is lost to a customer who stays away', async () => {
    const sandbox = await startTestSandbox({ accessTimeoutMinutes: 0.001 })
    await transfer(sandbox, MONZO)
    expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('20602')
  })

  test('cannot be refunded', async () => {
    const { sandbox } = await atBank()
    await answerFor(sandbox, 'ord_1', { answer: 'approve' })
    await reached(sandbox, 'ord_1', 'success')
    for (const path of ['/banks/uk/refund', '/card/refund', '/blik/refund']) {
      const reply = await call(sandbox, path, 'ord_1', { payment: { description: 'Changed their mind' } })
      expect([reply.status, reply.body.code]).toEqual([400, '3610'])
    }
  })
})

describe('POST /gate/payments/{id}/answer', () => {
  test('answers once, and only where a customer is asked', async () => {
    const { sandbox } = await atBank()
    expect((await answerFor(sandbox, 'ord_1', { answer: 'perhaps' })).status).toBe(400)
    expect((await answerFor(sandbox, 'ord_2', { answer: 'approve' })).status).toBe(404)
    const answers = ['approve', 'refuse'].map((answer) => answerFor(sandbox, 'ord_1', { answer }))
    expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 409])
    await soldAs(sandbox, 'ord_3', CARDS.challenged)
    expect((await answerFor(sandbox, 'ord_3', { answer: 'approve' })).status).toBe(409)
  })
})
