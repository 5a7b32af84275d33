import { describe, expect, test } from 'vitest'
import { type Json, startTestSandbox } from '#testing/merchant.ts'

const ask = async (url: string, call: string, question: object) => {
  const reply = await fetch(`${url}/taxation_customs/vies/rest-api/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

const REQUESTER = { requesterMemberStateCode: 'EU', requesterNumber: '372000001' }

describe('the register of VAT numbers', () => {
  test('knows a number, and numbers its answer for who says who they are', async () => {
    const { url } = await startTestSandbox()
    const german = { countryCode: 'DE', vatNumber: '123456789' }
    const { status, body } = await ask(url, 'check-vat-number', { ...german, ...REQUESTER })
    expect([status, body]).toMatchObject([200, { ...german, valid: true, traderNameMatch: 'NOT_PROCESSED' }])
    expect(body.requestIdentifier).toMatch(/^WAPI\w+$/)
    expect((await ask(url, 'check-vat-number', german)).body).toMatchObject({
      valid: true,
      requestIdentifier: '',
    })
  })

  test.each([
    ['invalid', 'DE', '123456200', 200, { valid: false }],
    ['letters stand between', 'NL', '123456301B01', 200, { valid: true }],
    [
      'the country away',
      'DE',
      '123456301',
      500,
      { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] },
    ],
    ['no number', 'DE', '<b>', 400, { errorWrappers: [{ error: 'INVALID_INPUT' }] }],
  ])('answers by the last three digits: %s', async (_, countryCode, vatNumber, status, body) => {
    const { url } = await startTestSandbox()
    expect(await ask(url, 'check-vat-number', { countryCode, vatNumber })).toMatchObject({ status, body })
  })

  test('refuses a caller by its number, and not one who gives none', async () => {
    const { url } = await startTestSandbox()
    const number = { countryCode: 'FI', vatNumber: '12345202' }
    const refused = await ask(url, 'check-vat-number', { ...number, ...REQUESTER })
    expect(refused.body.errorWrappers).toEqual([{ error: 'INVALID_REQUESTER_INFO' }])
    expect((await ask(url, 'check-vat-number', number)).body.valid).toBe(true)
  })

  test('has a test service that knows its own numbers alone', async () => {
    const { url } = await startTestSandbox()
    const of = (vatNumber: string) => ask(url, 'check-vat-test-service', { countryCode: 'DE', vatNumber })
    expect((await of('100')).body.valid).toBe(true)
    expect((await of('302')).body.errorWrappers).toEqual([{ error: 'TIMEOUT' }])
    expect((await of('123456789')).status).toBe(400)
  })
})
