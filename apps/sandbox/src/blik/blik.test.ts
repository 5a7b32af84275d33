import { describe, expect, test } from 'vitest'
import {
  aBlik,
  answerFor,
  call,
  type Json,
  openShop,
  reached,
  settled,
  startTestSandbox,
} from '#testing/merchant.ts'

const atBlik = async (callbackUrl?: string, sale: Json = aBlik(callbackUrl)) => {
  const sandbox = await startTestSandbox()
  await call(sandbox, '/blik/sale', 'ord_1', sale)
  const { redirect_data } = await reached(sandbox, 'ord_1', 'awaiting redirect result')
  const press = (fields: Json, url: string = redirect_data.url) => {
    const session = new URL(url).searchParams.get('session') ?? ''
    return fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ session, ...fields }),
    })
  }
  return { sandbox, redirect_data, press }
}

const enter = (code: string) => ({ answer: 'approve', code })

describe('POST /v2/payment/blik/sale', () => {
  test.each(['first_name', 'last_name', 'email', 'id', 'ip_address'])(
    'names customer.%s when it is missing',
    async (name) => {
      const sale = aBlik()
      delete sale.customer[name]
      const { status, body } = await call(await startTestSandbox(), '/blik/sale', 'ord_1', sale)
      expect([status, body.code, body.errors[0].field]).toEqual([400, '2004', `customer.${name}`])
    },
  )

  test.each([
    ['EUR', 14_520, '3121'],
    ['PLN', 1_000_001, '2642'],
  ])('refuses %s %i', async (currency, amount, code) => {
    const sale = { ...aBlik(), payment: { amount, currency } }
    const { status, body } = await call(await startTestSandbox(), '/blik/sale', 'ord_1', sale)
    expect([status, body.code]).toEqual([400, code])
  })

  test('is paid with any six digits', async () => {
    const shop = await openShop()
    const { redirect_data, press } = await atBlik(shop.url)
    expect(redirect_data).toMatchObject({ method: 'GET', body: [], encrypted: [] })
    expect(await (await fetch(redirect_data.url)).text()).toContain('Six-digit code')
    const reply = await press(enter('482913'))
    expect(reply.headers.get('location')).toBe('https://shop.example/payment/success')
    expect((await shop.received(2)).at(-1)).toMatchObject({
      payment: { status: 'success', method: 'blik', sum: { amount: 14_520, currency: 'PLN' } },
      operation: { type: 'sale', code: '0' },
    })
  })

  test.each(['000000', '12345', ''])('asks again after the code %j', async (code) => {
    const { sandbox, press } = await atBlik()
    const reply = await press(enter(code))
    expect([reply.status, (await reply.text()).includes('This code is not right')]).toEqual([422, true])
    await press(enter('482913'))
    await reached(sandbox, 'ord_1', 'success')
  })

  test('is to be confirmed in the bank’s app after one code', async () => {
    const shop = await openShop()
    const { sandbox, press } = await atBlik(shop.url)
    const reply = await press(enter('111111'))
    await reached(sandbox, 'ord_1', 'awaiting customer action')
    const appUrl = sandbox.url + reply.headers.get('location')
    expect(await (await fetch(appUrl)).text()).toContain('Confirm in your bank’s app')
    await press({ answer: 'approve' }, appUrl)
    await reached(sandbox, 'ord_1', 'success')
    const statuses = (await shop.received(3)).map((each) => each.payment.status)
    expect(statuses).toContain('awaiting customer action')
  })

  test('ends with a refusal', async () => {
    const { sandbox, press } = await atBlik()
    const reply = await press({ answer: 'refuse', code: '' })
    expect(reply.headers.get('location')).toBe('https://shop.example/payment/reject')
    expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('20301')
  })

  test('needs no way back', async () => {
    const { press } = await atBlik(undefined, { ...aBlik(), return_url: undefined })
    const reply = await press(enter('482913'))
    expect([reply.status, (await reply.text()).includes('Go back to the shop')]).toEqual([200, true])
  })

  test('can be answered without the page', async () => {
    const { sandbox } = await atBlik()
    expect((await answerFor(sandbox, 'ord_1', enter('000000'))).status).toBe(409)
    expect((await answerFor(sandbox, 'ord_1', { answer: 'approve' })).status).toBe(200)
    await reached(sandbox, 'ord_1', 'success')
  })
})

describe('POST /v2/payment/blik/refund', () => {
  test('pays a part back, then the rest', async () => {
    const { sandbox } = await atBlik()
    await answerFor(sandbox, 'ord_1', { answer: 'approve' })
    await reached(sandbox, 'ord_1', 'success')
    const refund = (payment: Json) =>
      call(sandbox, '/blik/refund', 'ord_1', { payment: { description: 'Changed their mind', ...payment } })
    await refund({ amount: 4520, currency: 'PLN' })
    expect((await settled(sandbox, 'ord_1')).payment).toMatchObject({
      status: 'partially refunded',
      sum: { amount: 10_000 },
    })
    await refund({})
    const { payment, operations } = await settled(sandbox, 'ord_1')
    expect([payment.status, operations.at(-1).type]).toEqual(['refunded', 'refund'])
  })
})
