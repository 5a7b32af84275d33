import type { PaymentStatusReply } from '@hedgerow/contract/payments'
import { POLL_EVERY_MS } from '@hedgerow/domain/timings'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, closeShop, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const PATH = `/payment/result/${'a'.repeat(32)}`
const CHALLENGE = {
  acs_url: 'https://issuer.example/acs',
  pa_req: 'the-request',
  md: 'the-md',
  term_url: 'https://shop.example/api/v1/payment/challenge/a',
}
const REDIRECT = { url: 'https://bank.example/go', method: 'POST', body: { a: 'b' } }

let server: ReturnType<typeof stubServer>
let sent: HTMLFormElement[]
beforeEach(() => {
  vi.useFakeTimers()
  server = stubServer()
  sent = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    sent.push(this)
  })
})
afterEach(() => {
  closeShop()
  for (const form of document.querySelectorAll('body > form')) form.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const stands = (status: PaymentStatusReply['status'], metadata: object | string = {}) =>
  server.answers('paymentStatus', 200, {
    status,
    metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const open = async (path = PATH) => {
  await openShop(path)
  await pass(0)
}
const goBack = async () => {
  await act(async () => {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  })
  await pass(0)
}
const polls = () => server.callsOf('paymentStatus').length
const target = (form: HTMLFormElement | undefined) => `${form?.method.toUpperCase()} ${form?.action}`
const fieldsOf = (form: HTMLFormElement | undefined) =>
  [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }) => [name, value])

test('asks again half a second after each answer', async () => {
  stands('processing')
  await open()
  screen.getByRole('heading', { name: 'Processing...' })
  const before = polls()
  await pass(POLL_EVERY_MS - 1)
  expect(polls()).toBe(before)
  await pass(1)
  expect(polls()).toBe(before + 1)
  await pass(POLL_EVERY_MS * 3)
  expect(polls()).toBe(before + 4)
})

test('says that the bank has promised the money, and where to pay another way', async () => {
  stands('processing', { promised: { again: '/checkout/7' } })
  await open()
  screen.getByText(/Your bank has promised us the money\. It may take up to 7 days/)
  expect(screen.getByRole('link', { name: 'Pay another way' }).getAttribute('href')).toBe('/checkout/7')
  stands('processing', { promised: { again: 'https://elsewhere.example' } })
  await pass(POLL_EVERY_MS)
  expect(screen.queryByRole('link', { name: 'Pay another way' })).toBeNull()
  stands('Success')
  await pass(POLL_EVERY_MS)
  expect(address()).toBe('/payment/success')
})

test('says that the network has to confirm a payment in bitcoin, and offers no second way', async () => {
  stands('processing', { promised: { again: '/checkout/7', isCrypto: true } })
  await open()
  screen.getByText(/The Bitcoin network has to confirm it/)
  expect(screen.queryByRole('link', { name: 'Pay another way' })).toBeNull()
})

test('says of another sum what came, and not that nothing was charged', async () => {
  const reason = '€12.00 arrived instead of €30.00. It bought nothing, and goes back the way it came.'
  stands('Error', { reason, isCharged: true, again: '/checkout/7' })
  await open()
  screen.getByText(reason)
  screen.getByText('Your payment history, in your profile, shows when it is back.')
})

test.each([
  'Pending',
  'awaiting clarification',
  'awaiting customer action',
  'awaiting merchant auth',
  'processing',
] as const)('goes on asking at %s', async (status) => {
  stands(status)
  await open()
  const before = polls()
  await pass(POLL_EVERY_MS)
  expect(polls()).toBe(before + 1)
  expect(address()).toBe(PATH)
})

test('a call that fails is ignored', async () => {
  await open()
  server.refuses('paymentStatus', 500)
  await pass(POLL_EVERY_MS)
  server.refuses('paymentStatus', 429)
  await pass(POLL_EVERY_MS)
  stands('Success')
  await pass(POLL_EVERY_MS)
  expect(address()).toBe('/payment/success')
  screen.getByRole('heading', { name: 'Payment is successful!' })
})

test.each(['Decline', 'Error'] as const)('%s leads to /payment/reject', async (status) => {
  stands(status)
  await open()
  expect(address()).toBe('/payment/reject')
  screen.getByRole('heading', { name: 'Payment rejected' })
})

test("'awaiting 3ds result' posts MD, PaReq and TermUrl to the issuer, once, and asks no more", async () => {
  stands('awaiting 3ds result', CHALLENGE)
  await open()
  expect(sent).toHaveLength(1)
  expect(target(sent[0])).toBe(`POST ${CHALLENGE.acs_url}`)
  expect(fieldsOf(sent[0])).toEqual([
    ['MD', 'the-md'],
    ['PaReq', 'the-request'],
    ['TermUrl', CHALLENGE.term_url],
  ])
  const before = polls()
  await pass(POLL_EVERY_MS * 4)
  expect(polls()).toBe(before)
  expect(sent).toHaveLength(1)
})

test("'awaiting redirect result' posts its fields", async () => {
  stands('awaiting redirect result', { url: 'https://bank.example/go?x=1', method: 'POST', body: { a: 'b' } })
  await open()
  expect(target(sent[0])).toBe('POST https://bank.example/go?x=1')
  expect(fieldsOf(sent[0])).toEqual([['a', 'b']])
})

test('for GET the query of the address becomes fields', async () => {
  stands('awaiting redirect result', {
    url: 'https://bank.example/go?session=7&scope=a&scope=b&x=1',
    method: 'GET',
    body: { x: '2', y: '3' },
  })
  await open()
  expect(target(sent[0])).toMatch(/^GET https:\/\/bank.example\/go/)
  expect(fieldsOf(sent[0])).toEqual([
    ['session', '7'],
    ['scope', 'a'],
    ['scope', 'b'],
    ['x', '2'],
    ['y', '3'],
  ])
})

test.each([
  ['no JSON', 'not json'],
  ['another kind of address', { ...CHALLENGE, acs_url: 'javascript:alert(1)' }],
  ['a field too few', { ...CHALLENGE, md: undefined }],
])('metadata with %s sends nobody anywhere', async (_, metadata) => {
  stands('awaiting 3ds result', metadata)
  await open()
  await pass(POLL_EVERY_MS)
  expect(sent).toHaveLength(0)
  expect(polls()).toBeGreaterThan(1)
})

describe('what every object has', () => {
  const poisoned = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
  afterEach(() => {
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  })

  test.each(['constructor', '__proto__', 'toString'])('is no status: %s', async (status) => {
    stands(status as PaymentStatusReply['status'])
    await open()
    const before = polls()
    await pass(POLL_EVERY_MS)
    expect(polls()).toBe(before + 1)
    expect(address()).toBe(PATH)
  })

  test.each([
    [
      'awaiting redirect result',
      `{"url":"https://bank.example/","method":"POST","body":{${poisoned},"a":"b"}}`,
    ],
    ['awaiting 3ds result', `{"iframe":{"url":"https://issuer.example/","fields":{${poisoned},"a":"b"}}}`],
    ['Decline', `{${poisoned},"reason":"No money"}`],
    ['processing', `{"promised":{${poisoned}}}`],
  ] as const)('gets no field by the metadata of %s', async (status, metadata) => {
    stands(status, metadata)
    await open()
    await pass(POLL_EVERY_MS)
    for (const form of sent) expect(fieldsOf(form)).toEqual([['a', 'b']])
  })

  test('gets no field by a question of the bank that is answered', async () => {
    await import('#features/payment-result/payment-question.tsx')
    const field = { label: 'Postcode', type: 'text', isRequired: true }
    const names = ['__proto__.polluted', 'constructor.prototype.polluted', 'avs_data.avs_post_code']
    stands('awaiting clarification', { fields: names.map((name) => ({ ...field, name })) })
    server.answers('clarifyPayment', 200, {})
    await open()
    await pass(POLL_EVERY_MS)
    for (const input of screen.getAllByLabelText('Postcode'))
      fireEvent.input(input, { target: { value: 'SW1A 1AA' } })
    await pass(0)
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await pass(POLL_EVERY_MS)
  })
})

test('a payment that stays unknown is called so', async () => {
  server.refuses('paymentStatus', 404)
  await open()
  await pass(POLL_EVERY_MS * 5)
  screen.getByRole('heading', { name: 'We could not find this payment' })
})

test('a new question of the bank sends the customer on, back or not', async () => {
  stands('awaiting 3ds result', CHALLENGE)
  await open()
  stands('awaiting 3ds result', { ...CHALLENGE, md: 'the second md' })
  await goBack()
  expect(sent).toHaveLength(2)
  expect(fieldsOf(sent[1])[0]).toEqual(['MD', 'the second md'])
})

test('who goes back from the bank is not sent there again, but can go', async () => {
  stands('awaiting redirect result', REDIRECT)
  await open()
  await goBack()
  expect(sent).toHaveLength(1)
  screen.getByText(/We are waiting to hear from your bank/)
  const before = polls()
  await pass(POLL_EVERY_MS * 2)
  expect(polls()).toBe(before + 2)
  fireEvent.click(screen.getByRole('button', { name: 'Go to your bank’s page again' }))
  expect(target(sent[1])).toBe('POST https://bank.example/go')
  stands('Success')
  await pass(POLL_EVERY_MS)
  expect(address()).toBe('/payment/success')
})

test('whom the bank has sent back is not sent there again', async () => {
  stands('awaiting redirect result', REDIRECT)
  await open(`${PATH}?returned`)
  await pass(POLL_EVERY_MS * 2)
  expect(sent).toHaveLength(0)
  screen.getByText(/We are waiting to hear from your bank/)
  stands('awaiting redirect result', { ...REDIRECT, body: { another: 'page' } })
  await pass(POLL_EVERY_MS)
  expect(fieldsOf(sent[0])).toEqual([['another', 'page']])
})

test('whom the bank has sent back, and whose next action is another one, is sent on', async () => {
  stands('processing')
  await open(`${PATH}?returned`)
  stands('awaiting redirect result', REDIRECT)
  await pass(POLL_EVERY_MS)
  expect(sent).toHaveLength(1)
})

test("the issuer's look at the browser is sent into a hidden frame once, and the page goes on asking", async () => {
  const iframe = { url: 'https://issuer.example/method', fields: { threeDSMethodData: 'the-data' } }
  stands('awaiting 3ds result', { iframe })
  await open()
  const before = polls()
  await pass(POLL_EVERY_MS * 3)
  expect(polls()).toBe(before + 3)
  expect(sent).toHaveLength(1)
  expect(target(sent[0])).toBe('POST https://issuer.example/method')
  expect(fieldsOf(sent[0])).toEqual([['threeDSMethodData', 'the-data']])
  const frame = document.querySelector<HTMLIFrameElement>('body > iframe')
  expect(frame?.hidden).toBe(true)
  expect(frame?.name).toBe(sent[0]?.target)
  stands('Success')
  await pass(POLL_EVERY_MS)
  expect(document.querySelector('body > iframe')).toBeNull()
})

test('back from the issuer to the very same page it asks again', async () => {
  stands('awaiting 3ds result', CHALLENGE)
  await open()
  stands('Success')
  await goBack()
  expect(address()).toBe('/payment/success')
})

test('a page that was left asks no more', async () => {
  stands('processing')
  await open()
  closeShop()
  const before = polls()
  await pass(POLL_EVERY_MS * 4)
  expect(polls()).toBe(before)
})
