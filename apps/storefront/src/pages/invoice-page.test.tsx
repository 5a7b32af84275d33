import { MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { downloadOrderInvoice } from '#features/invoices/download-invoice.ts'
import { button, closeShop, fill, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const LABELS = {
  timestamp: 'Date and time of the payment',
  description: 'Description',
  authCode: 'Authorisation code',
  method: 'Payment method',
  pan: 'Card number (PAN)',
  cardHolder: 'Card holder’s name',
  total: 'Total',
}
const TYPED = {
  timestamp: '21/11/2026 14:05',
  authCode: '831000',
  pan: '4111 1111 1111 1111',
  cardHolder: 'Zoë Őze',
  total: '€45.17',
}

const PDF = new Blob(['%PDF'], { type: 'application/pdf' })
const control = (name: keyof typeof LABELS) => screen.getByLabelText<HTMLInputElement>(LABELS[name])
const fillAll = () => {
  for (const [name, value] of Object.entries(TYPED)) fill(LABELS[name as keyof typeof TYPED], value)
}

let server: ReturnType<typeof stubServer>
let saved: string[]
beforeEach(() => {
  server = stubServer()
  saved = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const press = async () => {
  await waitFor(() => expect(button('Download PDF').disabled).toBe(false))
  fireEvent.click(button('Download PDF'))
}

test('starts with the description and the method, and with a button that is disabled', async () => {
  await openShop('/invoice')
  expect(control('description').value).toBe('PURCHASE: Timed VPN connections')
  expect(control('method').value).toBe('Visa/Mastercard')
  expect(button('Download PDF').disabled).toBe(true)
})

test.each([
  ['timestamp', MESSAGES.invoiceTimestampRequired],
  ['description', MESSAGES.invoiceDescriptionRequired],
  ['authCode', MESSAGES.invoiceAuthCodeRequired],
  ['method', MESSAGES.invoiceMethodRequired],
  ['pan', MESSAGES.invoicePanRequired],
  ['cardHolder', MESSAGES.invoiceCardHolderRequired],
  ['total', MESSAGES.invoiceTotalRequired],
] as const)('an empty %s shows: %s', async (name, message) => {
  await openShop('/invoice')
  fillAll()
  fill(LABELS[name], 'x')
  fill(LABELS[name], '')
  await screen.findByText(message)
  expect(button('Download PDF').disabled).toBe(true)
})

test('a total without a currency is shown', async () => {
  await openShop('/invoice')
  fill(LABELS.total, '45.17')
  await screen.findByText(MESSAGES.invoiceTotalRequired)
})

test('downloads invoice.pdf and begins anew; the full card number never leaves the page', async () => {
  server.answers('createInvoice', 200, PDF)
  await openShop('/invoice')
  fillAll()
  await press()
  const said = await screen.findByText('Your document was downloaded')
  await waitFor(() => expect(document.activeElement?.contains(said)).toBe(true))
  expect(document.activeElement).not.toBe(document.body)
  expect(saved).toEqual(['invoice.pdf'])
  expect(server.callsOf('createInvoice')[0]?.body).toEqual({
    ...TYPED,
    description: 'PURCHASE: Timed VPN connections',
    method: 'Visa/Mastercard',
    pan: '411111******1111',
  })
  expect(control('cardHolder').value).toBe('')
  expect(control('description').value).toBe('PURCHASE: Timed VPN connections')
  await waitFor(() => expect(button('Download PDF').disabled).toBe(true))
  fill(LABELS.cardHolder, 'Another')
  await waitFor(() => expect(screen.queryByText('Your document was downloaded')).toBeNull())
})

test.each([429, 500, 503, 0])(
  'after a failure (%i) it says so, and everything typed is still there',
  async (status) => {
    if (status) server.refuses('createInvoice', status, 'Later, please')
    await openShop('/invoice')
    fillAll()
    await press()
    await screen.findByText('The document was not made')
    expect(control('pan').value).toBe(TYPED.pan)
    expect(control('cardHolder').value).toBe(TYPED.cardHolder)
    expect(saved).toEqual([])
  },
)

test('what cannot be printed is shown at its field', async () => {
  const errors = [{ path: 'cardHolder', message: 'The document cannot show the character 李' }]
  server.refuses('createInvoice', 422, 'x', { errors })
  await openShop('/invoice')
  fillAll()
  await press()
  await screen.findByText(/cannot show the character 李/)
  expect(control('cardHolder').getAttribute('aria-invalid')).toBe('true')
})

test('an order’s invoice is saved as invoice.pdf; a failure is logged only', async () => {
  server.answers('getOrderInvoice', 200, PDF)
  await downloadOrderInvoice('00000000-0000-4000-8000-00000000000a')
  expect(saved).toEqual(['invoice.pdf'])
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  server.refuses('getOrderInvoice', 500)
  await downloadOrderInvoice('00000000-0000-4000-8000-00000000000a')
  expect(logged).toHaveBeenCalledOnce()
  expect(saved).toHaveLength(1)
})
