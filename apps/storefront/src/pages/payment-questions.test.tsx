import type { ClarificationMetadata, PaymentStatusReply } from '@hedgerow/contract/payments'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { POLL_EVERY_MS } from '@hedgerow/domain/timings'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, button, closeShop, fill, openShop, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const PATH = `/payment/result/${'a'.repeat(32)}`

let server: ReturnType<typeof stubServer>
beforeEach(async () => {
  vi.useFakeTimers()
  server = stubServer()
  // What is fetched when it is wanted takes no turn of these timers.
  await import('#features/payment-result/payment-question.tsx')
  await import('@hedgerow/ui/qr-code.tsx')
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const stands = (status: PaymentStatusReply['status'], metadata: object = {}) =>
  server.answers('paymentStatus', 200, { status, metadata: JSON.stringify(metadata) })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const open = async () => {
  await openShop(PATH)
  await pass(0)
}
const press = async (name: string) => {
  await pass(0)
  fireEvent.click(button(name))
  await pass(0)
}
const polls = () => server.callsOf('paymentStatus').length

const field = (name: string, label: string, more = {}): ClarificationMetadata['fields'][number] => ({
  name,
  label,
  type: 'text',
  isRequired: true,
  ...more,
})
const POSTCODE = field('avs_data.avs_post_code', 'Postcode')
const STREET = field('avs_data.avs_street_address', 'Street')
const CONSENT = field('customer.psu_consent_text', 'Consent', {
  type: 'consent',
  text: 'I agree that this payment is started.',
})

describe('awaiting clarification', () => {
  const openForm = async (...fields: ClarificationMetadata['fields']) => {
    stands('awaiting clarification', { fields })
    await open()
  }

  test('shows the question, with the focus on it, and goes on polling the status', async () => {
    await openForm(POSTCODE, STREET)
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    fill('Postcode', 'SW1A 1AA')
    const before = polls()
    await pass(POLL_EVERY_MS * 3)
    expect(polls()).toBe(before + 3)
    expect(screen.getByLabelText<HTMLInputElement>('Postcode').value).toBe('SW1A 1AA')
    expect(button('Continue').disabled).toBe(true)
  })

  test('sends the answers by their names, once, and waits on', async () => {
    await openForm(POSTCODE, STREET, field('customer.phone', 'Phone', { isRequired: false }))
    server.answers('clarifyPayment', 200, {})
    fill('Postcode', ' SW1A 1AA ')
    fill('Street', '1 The Hedge')
    await pass(0)
    stands('processing')
    fireEvent.click(button('Continue'))
    fireEvent.click(button('Continue'))
    await pass(0)
    expect(server.callsOf('clarifyPayment').map(({ body }) => body)).toEqual([
      {
        answers: {
          'avs_data.avs_post_code': 'SW1A 1AA',
          'avs_data.avs_street_address': '1 The Hedge',
        },
      },
    ])
    screen.getByRole('heading', { name: 'Processing...' })
    stands('Success')
    await pass(POLL_EVERY_MS)
    expect(address()).toBe('/payment/success')
  })

  test('a consent is given by its box, under its own words', async () => {
    await openForm(CONSENT)
    server.answers('clarifyPayment', 200, {})
    expect(button('Continue').disabled).toBe(true)
    tick('I agree that this payment is started.')
    await press('Continue')
    expect(server.callsOf('clarifyPayment')[0]?.body).toEqual({
      answers: { 'customer.psu_consent_text': true },
    })
  })

  test('a consent that is taken back says that it is needed', async () => {
    await openForm(CONSENT)
    tick(/I agree/)
    tick(/I agree/)
    await pass(0)
    screen.getByText(OUR_MESSAGES.answerRequired)
  })

  test('an answer that was wrong is requested again at its field, with what was typed', async () => {
    await openForm(POSTCODE, STREET)
    server.answers('clarifyPayment', 200, {})
    fill('Postcode', '00')
    fill('Street', '1 The Hedge')
    await pass(0)
    stands('processing')
    await press('Continue')
    stands('awaiting clarification', { fields: [{ ...POSTCODE, error: 'Not a postcode' }] })
    await pass(POLL_EVERY_MS)
    const again = screen.getByLabelText<HTMLInputElement>('Postcode')
    expect(again.value).toBe('00')
    screen.getByText('Not a postcode')
    expect(again.getAttribute('aria-invalid')).toBe('true')
    fill('Postcode', 'SW1A 1AA')
    await pass(0)
    expect(screen.queryByText('Not a postcode')).toBeNull()
    expect(button('Continue').disabled).toBe(false)
  })

  test('what the server refuses is shown at its field', async () => {
    await openForm(POSTCODE)
    server.refuses('clarifyPayment', 422, 'x', {
      errors: [{ path: POSTCODE.name, message: 'Not this postcode' }],
    })
    fill('Postcode', '1')
    await press('Continue')
    screen.getByText('Not this postcode')
    expect(document.activeElement).toBe(screen.getByLabelText('Postcode'))
  })

  test('a payment system that does not answer is shown, and nothing typed is lost', async () => {
    await openForm(POSTCODE)
    server.refuses('clarifyPayment', 502, 'The payment system is not answering.')
    fill('Postcode', 'SW1A')
    await press('Continue')
    screen.getByText('The payment system is not answering.')
    expect(screen.getByLabelText<HTMLInputElement>('Postcode').value).toBe('SW1A')
    expect(button('Continue').disabled).toBe(false)
  })

  test('an answer that is not wanted any more is no failure', async () => {
    await openForm(POSTCODE)
    server.refuses('clarifyPayment', 409)
    fill('Postcode', 'SW1A')
    await pass(0)
    stands('Success')
    await press('Continue')
    expect(address()).toBe('/payment/success')
  })

  test('without fields the page waits', async () => {
    await openForm()
    screen.getByRole('heading', { name: 'Processing...' })
  })
})

describe('awaiting customer action', () => {
  const QR = { type: 'qr_data', title: 'QR code', data: 'https://bank.example/pay?session=7' }

  test('shows the code to scan, with a link for this device, and goes on asking', async () => {
    stands('awaiting customer action', { display: [QR] })
    await open()
    await pass(0)
    screen.getByRole('img', { name: 'QR code to pay' })
    expect(screen.getByRole('link', { name: /Open it on this device/ }).getAttribute('href')).toBe(QR.data)
    stands('Success')
    await pass(POLL_EVERY_MS)
    expect(address()).toBe('/payment/success')
  })

  test.each(['javascript:alert(1)', '00020126330014'])('a code that holds %s is no link', async (data) => {
    stands('awaiting customer action', { display: [{ ...QR, data }] })
    await open()
    await pass(0)
    screen.getByRole('img', { name: 'QR code to pay' })
    expect(screen.queryByRole('link', { name: /Open it/ })).toBeNull()
  })

  test('without anything to show it says where to approve', async () => {
    stands('awaiting customer action')
    await open()
    screen.getByText(/Open your bank’s app and approve the payment there/)
    expect(screen.queryByRole('img', { name: /QR/ })).toBeNull()
  })
})

describe('awaiting merchant auth', () => {
  test('a code is sent when the customer wants it, and then entered', async () => {
    stands('awaiting merchant auth', { stage: 'start' })
    server.answers('authorisePayment', 200, {})
    await open()
    stands('awaiting merchant auth', { stage: 'finish' })
    await press('Send me the code')
    expect(button('Confirm').disabled).toBe(true)
    fill('Code', '12')
    await pass(0)
    screen.getByText(OUR_MESSAGES.confirmationCode)
    fill('Code', '1234')
    await pass(0)
    stands('processing')
    await press('Confirm')
    expect(server.callsOf('authorisePayment').map(({ body }) => body)).toEqual([{}, { code: '1234' }])
    screen.getByRole('heading', { name: 'Processing...' })
  })

  test('a code that was not sent can be requested again', async () => {
    stands('awaiting merchant auth', { stage: 'start' })
    server.refuses('authorisePayment', 502, 'The payment system is not answering.')
    await open()
    await press('Send me the code')
    screen.getByText('The payment system is not answering.')
    expect(button('Send me the code').getAttribute('aria-busy')).toBeNull()
  })
})

describe('what was not paid', () => {
  test('says why where that may be told, and leads to where it can be tried again', async () => {
    stands('Decline', { reason: 'The card has expired.', again: '/checkout/1' })
    await open()
    screen.getByRole('heading', { name: 'Payment rejected' })
    screen.getByText('The card has expired. Nothing was charged.')
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/checkout/1')
    expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/profile')
  })

  test.each([{ again: 'https://evil.example' }, { again: '//evil.example' }, {}])(
    '%j leads nowhere else',
    async (metadata) => {
      stands('Error', metadata)
      await open()
      screen.getByRole('heading', { name: 'Payment rejected' })
      expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull()
    },
  )

  test('takes no reason from the address', async () => {
    await openShop('/payment/reject?reason=Pay+elsewhere&again=/x')
    expect(screen.queryByText(/Pay elsewhere/)).toBeNull()
    expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull()
  })
})
