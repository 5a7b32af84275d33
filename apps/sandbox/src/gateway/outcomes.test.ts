import { describe, expect, test } from 'vitest'
import { TEST_CARDS } from '#card/test-cards.ts'
import { bankAnswer } from '#issuer/bank-answer.ts'
import {
  CARDS,
  call,
  openShop,
  sell,
  settled,
  soldAs,
  startTestSandbox,
  statusOf,
} from '#testing/merchant.ts'

test.each(TEST_CARDS.filter((card) => card.actions.length === 0))(
  '$pan: $description',
  async ({ pan, code }) => {
    const { payment, operations } = await soldAs(await startTestSandbox(), 'ord_1', pan)
    expect(payment.status).toBe(code === '0' ? 'success' : 'decline')
    expect(operations).toMatchObject([{ type: 'sale', code }])
  },
)

test.each(TEST_CARDS.filter((card) => card.actions.length > 0))(
  '$pan: $description',
  async ({ pan, code }) => {
    const sandbox = await startTestSandbox()
    const { payment, acs } = await soldAs(sandbox, 'ord_1', pan)
    expect(payment.status).toBe('awaiting 3ds result')
    expect(acs).toEqual({ acs_url: `${sandbox.url}/acs`, pa_req: expect.any(String), md: expect.any(String) })

    const pares = bankAnswer(acs.pa_req, true)
    expect((await call(sandbox, '/card/3ds_result', 'ord_1', { pares, md: acs.md })).status).toBe(200)
    expect((await settled(sandbox, 'ord_1')).operations).toMatchObject([{ code }])
  },
)

test.each([
  ['a number with the right check digit is paid', '4242424242424242', '0'],
  ['a mistyped number is declined', '4242424242424241', '10102'],
])('%s', async (_fact, pan, code) => {
  expect((await soldAs(await startTestSandbox(), 'ord_1', pan)).operations[0].code).toBe(code)
})

describe('POST /v2/payment/card/3ds_result', () => {
  const challenged = async (settings = {}) => {
    const sandbox = await startTestSandbox(settings)
    const { acs } = await soldAs(sandbox, 'ord_1', CARDS.challenged)
    const answer = (pares: string, md = acs.md) => call(sandbox, '/card/3ds_result', 'ord_1', { pares, md })
    return { sandbox, acs, answer }
  }

  test.each([
    ['a refusal', (paReq: string) => bankAnswer(paReq, false)],
    ['an answer that no bank gave', () => 'bm90IGEgYmFuaw=='],
  ])('%s declines the payment', async (_kind, paResFor) => {
    const { sandbox, acs, answer } = await challenged()
    await answer(paResFor(acs.pa_req))
    const { payment, operations } = await settled(sandbox, 'ord_1')
    expect([payment.status, operations[0].code]).toEqual(['decline', '104'])
  })

  test('a second result changes nothing', async () => {
    const { sandbox, acs, answer } = await challenged()
    await answer(bankAnswer(acs.pa_req, true))
    const second = await answer(bankAnswer(acs.pa_req, false))
    expect([second.status, second.body.code]).toEqual([400, '3060'])
    expect((await settled(sandbox, 'ord_1')).payment.status).toBe('success')
  })

  test('refuses changed merchant data', async () => {
    const { acs, answer } = await challenged()
    expect((await answer(bankAnswer(acs.pa_req, true), 'b3RoZXI=')).status).toBe(400)
  })

  test('does not know an unknown payment', async () => {
    const sandbox = await startTestSandbox()
    const { status, body } = await call(sandbox, '/card/3ds_result', 'ord_2', { pares: 'cA==', md: 'bQ==' })
    expect([status, body.code]).toEqual([400, '3061'])
  })

  test('a card holder who stays away loses the payment', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox({ accessTimeoutMinutes: 0.005 })
    await sell(sandbox, 'ord_1', CARDS.challenged, shop.url)
    // Two callbacks close together may overtake each other.
    const callbacks = await shop.received(2)
    const told = (status: string) => callbacks.find((each) => each.payment.status === status)
    expect(told('decline').operation.code).toBe('108')
    const { acs } = told('awaiting 3ds result')
    const late = await call(sandbox, '/card/3ds_result', 'ord_1', {
      pares: bankAnswer(acs.pa_req, true),
      md: acs.md,
    })
    expect([late.status, late.body.code]).toEqual([400, '3060'])
  })
})

describe('POST /v2/payment/status', () => {
  test('says 3061 of a payment it does not know, and signs that', async () => {
    const { isSigned } = await openShop()
    const { status, body } = await call(await startTestSandbox(), '/status', 'ord_1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'error', code: '3061', payment: { status: 'error' } })
    expect(isSigned(body)).toBe(true)
  })

  test('tells the same as the callback, signed', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
    const [callback] = await shop.received(1)
    const status = await statusOf(sandbox, 'ord_1')
    expect(shop.isSigned(status)).toBe(true)
    expect(status.payment).toEqual(callback.payment)
    expect(status.operations).toEqual([callback.operation])
  })
})
