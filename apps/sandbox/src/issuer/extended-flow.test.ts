import { describe, expect, test } from 'vitest'
import { bankAnswer } from '#issuer/bank-answer.ts'
import { aSale, CARDS, call, type Json, reached, startTestSandbox } from '#testing/merchant.ts'

const RETURN_URL = 'https://shop.example/3ds/result'
const NOTICE_URL = 'https://shop.example/3ds/notice'
const FRICTIONLESS = '4477000000000006'

type Sandbox = Awaited<ReturnType<typeof startTestSandbox>>

const sold = async (pan: string, acs_return_url: Json) => {
  const sandbox = await startTestSandbox()
  await call(sandbox, '/card/sale', 'ord_1', { ...aSale(pan), acs_return_url })
  return sandbox
}

const BOTH = { return_url: RETURN_URL, '3ds_notification_url': NOTICE_URL }

/** Waits until the status shows what the page has to do next. */
const shown = (sandbox: Sandbox, part: 'iframe' | 'redirect') =>
  expect
    .poll(async () => (await reached(sandbox, 'ord_1', 'awaiting 3ds result')).threeds2)
    .toHaveProperty(part)

const threeds2Of = async (sandbox: Sandbox) =>
  (await reached(sandbox, 'ord_1', 'awaiting 3ds result')).threeds2

const checkFrame = (sandbox: Sandbox, threeds_completion_indicator: unknown = true) =>
  call(sandbox, '/card/3ds_check_iframe', 'ord_1', { threeds_completion_indicator })

const post = (url: string, fields: Json) => fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

const atChallenge = async () => {
  const sandbox = await sold(CARDS.challenged, { return_url: RETURN_URL })
  const { redirect } = await threeds2Of(sandbox)
  return { sandbox, redirect }
}

describe('the hidden frame', () => {
  test('posts its notice to the shop by the only script of the sandbox', async () => {
    const sandbox = await sold(CARDS.challenged, BOTH)
    const { iframe } = await threeds2Of(sandbox)
    expect(Object.keys(iframe.params)).toEqual(['threeDSMethodData', '3DSMethodData'])
    const reply = await post(iframe.url, iframe.params)
    const page = await reply.text()
    expect(page).toContain(`action="${NOTICE_URL}"`)
    expect(page).toContain('name="threeDSMethodData"')
    expect(reply.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'$/)
  })

  test('is looked at once', async () => {
    const sandbox = await sold(CARDS.challenged, BOTH)
    const { iframe } = await threeds2Of(sandbox)
    expect((await checkFrame(sandbox)).status).toBe(200)
    await shown(sandbox, 'redirect')
    expect((await checkFrame(sandbox)).body.code).toBe('3060')
    expect((await post(iframe.url, iframe.params)).status).toBe(410)
  })

  test('may fail without stopping the payment', async () => {
    const sandbox = await sold(FRICTIONLESS, BOTH)
    await shown(sandbox, 'iframe')
    expect((await checkFrame(sandbox, 'yes')).body.code).toBe('502')
    await checkFrame(sandbox, false)
    expect((await reached(sandbox, 'ord_1', 'success')).operations[0].eci).toBe('05')
  })

  test('is left out where no address for its notice is named, and for cards without 3-D Secure', async () => {
    const sandbox = await sold(FRICTIONLESS, { return_url: RETURN_URL })
    await reached(sandbox, 'ord_1', 'success')
    await call(sandbox, '/card/sale', 'ord_2', { ...aSale(CARDS.paid), acs_return_url: BOTH })
    await reached(sandbox, 'ord_2', 'success')
  })
})

describe('the challenge', () => {
  test('shows the bank’s page, which answers to the shop with a cres', async () => {
    const { redirect } = await atChallenge()
    const page = await (await post(redirect.url, redirect.params)).text()
    expect(page).toContain('Northbridge Bank')
    expect(page).toContain(`action="${RETURN_URL}"`)
    expect(page).toContain(`name="cres" value="${bankAnswer(redirect.params.creq, true)}"`)
    expect(page).toContain(`name="threeDSSessionData" value="${redirect.params.threeDSSessionData}"`)
  })

  test.each([
    [true, 'success', '0'],
    [false, 'decline', '104'],
  ])('approved: %s, so %s', async (isApproved, outcome, code) => {
    const { sandbox, redirect } = await atChallenge()
    const cres = bankAnswer(redirect.params.creq, isApproved)
    expect((await call(sandbox, '/card/3ds_result', 'ord_1', { cres })).status).toBe(200)
    expect((await reached(sandbox, 'ord_1', outcome)).operations[0].code).toBe(code)
    expect((await call(sandbox, '/card/3ds_result', 'ord_1', { cres })).body.code).toBe('3060')
  })

  test('takes no answer of the basic flow, and no forged one', async () => {
    const { sandbox, redirect } = await atChallenge()
    const pares = bankAnswer(redirect.params.creq, true)
    expect((await call(sandbox, '/card/3ds_result', 'ord_1', { pares, md: 'bQ==' })).body.code).toBe('3060')
    expect((await call(sandbox, '/card/3ds_result', 'ord_1')).body.code).toBe('2004')
    await call(sandbox, '/card/3ds_result', 'ord_1', { cres: 'bm90IGEgYmFuaw==' })
    await reached(sandbox, 'ord_1', 'decline')
  })
})
