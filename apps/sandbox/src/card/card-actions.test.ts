import { describe, expect, test } from 'vitest'
import { passesLuhn } from '#card/card-number.ts'
import { OWN_CARDS, TEST_CARDS } from '#card/test-cards.ts'
import { bankAnswer } from '#issuer/bank-answer.ts'
import {
  answerFor,
  aSale,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  reached,
  sell,
  soldAs,
  startTestSandbox,
} from '#testing/merchant.ts'

const OWN = {
  address: '4000001111000014',
  qr: '4000001111000022',
  merchantAuth: '4000001111000030',
  cascade: '4000001111000048',
  provider: '4000001111000055',
}

type Sandbox = Awaited<ReturnType<typeof startTestSandbox>>

const waiting = async (pan: string, callbackUrl?: string) => {
  const sandbox = await startTestSandbox()
  await sell(sandbox, 'ord_1', pan, callbackUrl)
  return sandbox
}

test('the sandbox’s own cards have true check digits and no one else’s numbers', () => {
  for (const { pan } of OWN_CARDS) {
    expect(passesLuhn(pan)).toBe(true)
    expect(TEST_CARDS.map((card) => card.pan)).not.toContain(pan)
  }
})

test.each(OWN_CARDS)('$pan is lost when the customer stays away', async ({ pan }) => {
  const sandbox = await startTestSandbox({ accessTimeoutMinutes: 0.001 })
  await sell(sandbox, 'ord_1', pan)
  const { operations } = await reached(sandbox, 'ord_1', 'decline')
  expect(['108', '10602']).toContain(operations[0].code)
})

describe('POST /v2/payment/clarification', () => {
  const clarify = (sandbox: Sandbox, avs_data: Json) =>
    call(sandbox, '/clarification', 'ord_1', { additional_data: { avs_data } })

  test('asks for the rest until everything is there', async () => {
    const shop = await openShop()
    const sandbox = await waiting(OWN.address, shop.url)
    const [asked] = await shop.received(1)
    expect(asked.clarification_fields).toEqual({
      avs_data: {
        properties: {
          avs_post_code: { type: 'string', title: 'Postcode', maxLength: 10 },
          avs_street_address: { type: 'string', title: 'Street address', maxLength: 255 },
        },
        required: ['avs_post_code', 'avs_street_address'],
        errors: [],
      },
    })
    await clarify(sandbox, { avs_post_code: 'AB1 2CD' })
    const [, again] = await shop.received(2)
    expect(again.payment.status).toBe('awaiting clarification')
    expect(Object.keys(again.clarification_fields.avs_data.properties)).toEqual(['avs_street_address'])
    await clarify(sandbox, { avs_street_address: '1 Hedge Lane' })
    await reached(sandbox, 'ord_1', 'success')
    expect(JSON.stringify(await booksOf(sandbox, '/ord_1'))).not.toContain('Hedge Lane')
  })

  test('says what is wrong with a value', async () => {
    const sandbox = await waiting(OWN.address)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    await clarify(sandbox, { avs_post_code: 'far too long a postcode', avs_street_address: '1 Hedge Lane' })
    const { clarification_fields } = await reached(sandbox, 'ord_1', 'awaiting clarification')
    expect(clarification_fields.avs_data.errors).toEqual([
      { property: 'avs_post_code', message: 'Invalid value', constraint: 'string of 1 to 10 characters' },
    ])
  })

  test('remembers a postcode that nobody knows, and declines', async () => {
    const sandbox = await waiting(OWN.address)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    await clarify(sandbox, { avs_post_code: '00000' })
    await clarify(sandbox, { avs_street_address: '1 Hedge Lane' })
    expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('109')
  })

  test('must bring its object, though it may be empty, and only while asked for', async () => {
    const sandbox = await waiting(OWN.address)
    await reached(sandbox, 'ord_1', 'awaiting clarification')
    expect((await call(sandbox, '/clarification', 'ord_1')).body.code).toBe('2004')
    expect((await call(sandbox, '/clarification', 'ord_1', { additional_data: {} })).status).toBe(200)
    await soldAs(sandbox, 'ord_2', CARDS.paid)
    const late = await call(sandbox, '/clarification', 'ord_2', { additional_data: {} })
    expect([late.status, late.body.code]).toEqual([400, '3060'])
  })

  test('is not needed when the sale brings the address', async () => {
    const sandbox = await startTestSandbox()
    const avs_data = { avs_post_code: 'AB1 2CD', avs_street_address: '1 Hedge Lane' }
    await call(sandbox, '/card/sale', 'ord_1', { ...aSale(OWN.address), avs_data })
    await reached(sandbox, 'ord_1', 'success')
    const half = { ...aSale(OWN.address), avs_data: { avs_post_code: 'AB1 2CD' } }
    expect((await call(sandbox, '/card/sale', 'ord_2', half)).body.code).toBe('2004')
  })
})

describe('a QR code', () => {
  test('leads to a page that approves, and leads nowhere from there', async () => {
    const shop = await openShop()
    const sandbox = await waiting(OWN.qr, shop.url)
    const [asked] = await shop.received(1)
    expect(asked.payment.status).toBe('awaiting customer action')
    const [{ type, title, data }] = asked.display_data
    expect([type, title]).toEqual(['qr_data', 'QR code'])
    expect(await (await fetch(data)).text()).toContain('Pay by QR code')
    const session = new URL(data).searchParams.get('session') ?? ''
    const reply = await fetch(data, {
      method: 'POST',
      body: new URLSearchParams({ session, answer: 'approve' }),
    })
    expect(await reply.text()).toContain('Go back to the shop')
    await reached(sandbox, 'ord_1', 'success')
  })

  test('can be refused without the page', async () => {
    const sandbox = await waiting(OWN.qr)
    await reached(sandbox, 'ord_1', 'awaiting customer action')
    await answerFor(sandbox, 'ord_1', { answer: 'refuse' })
    expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('10301')
  })
})

describe('POST /v2/payment/card/merchant_auth', () => {
  const started = async () => {
    const sandbox = await waiting(OWN.merchantAuth)
    await reached(sandbox, 'ord_1', 'awaiting merchant auth')
    const auth = (type: string, rest: Json = {}) =>
      call(sandbox, '/card/merchant_auth', 'ord_1', { general: { type }, ...rest })
    return { sandbox, auth }
  }

  test.each([
    ['2468', 'success', '0'],
    ['0000', 'decline', '10102'],
  ])('finishes with the code %s: %s', async (confirmation_code, outcome, code) => {
    const { sandbox, auth } = await started()
    expect((await auth('start')).status).toBe(200)
    expect((await auth('start')).status).toBe(200)
    expect((await auth('finish', { confirmation_code })).status).toBe(200)
    expect((await reached(sandbox, 'ord_1', outcome)).operations[0].code).toBe(code)
    expect((await auth('finish', { confirmation_code })).body.code).toBe('3060')
  })

  test('cannot be finished before it is started, or without a code, or begun in another way', async () => {
    const { auth } = await started()
    expect((await auth('finish', { confirmation_code: '2468' })).body.code).toBe('3060')
    await auth('start')
    expect((await auth('finish')).body.code).toBe('2004')
    expect((await auth('finish', { confirmation_code: 'abcd' })).body.code).toBe('502')
    expect((await auth('pause')).body.code).toBe('502')
  })
})

test('a cascade asks a second time, with new data, and says so', async () => {
  const sandbox = await waiting(OWN.cascade)
  const first = await reached(sandbox, 'ord_1', 'awaiting 3ds result')
  expect(first.payment).not.toHaveProperty('cascading_with_redirect')
  const answer = ({ acs }: Json) =>
    call(sandbox, '/card/3ds_result', 'ord_1', { pares: bankAnswer(acs.pa_req, true), md: acs.md })
  await answer(first)
  const second = await reached(sandbox, 'ord_1', 'awaiting 3ds result')
  expect(second.payment.cascading_with_redirect).toBe(true)
  expect((await answer(first)).body.code).toBe('3060')
  await answer(second)
  await reached(sandbox, 'ord_1', 'success')
  expect((await booksOf(sandbox, '/ord_1')).challengesMade).toBe(2)
})

test('a provider that runs 3-D Secure itself redirects instead of handing out acs', async () => {
  const shop = await openShop()
  const sandbox = await waiting(OWN.provider, shop.url)
  const [asked] = await shop.received(1)
  expect(asked.payment.status).toBe('awaiting 3ds result')
  expect(asked).not.toHaveProperty('acs')
  const { url } = asked.redirect_data
  const body = new URLSearchParams({
    session: new URL(url).searchParams.get('session') ?? '',
    answer: 'refuse',
  })
  const reply = await fetch(url, { method: 'POST', redirect: 'manual', body })
  expect(reply.headers.get('location')).toBe('https://shop.example/payment/reject')
  expect((await reached(sandbox, 'ord_1', 'decline')).operations[0].code).toBe('104')
  const result = await call(sandbox, '/card/3ds_result', 'ord_1', { pares: 'cA==', md: 'bQ==' })
  expect(result.body.code).toBe('3060')
})
