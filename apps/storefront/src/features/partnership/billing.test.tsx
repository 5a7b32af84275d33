import type { PartnerBilling } from '@hedgerow/contract/partnership'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPartnershipWith, stubPartnership } from '#testing/open-partnership.tsx'
import { enter } from '#testing/open-shop.tsx'

let server: ReturnType<typeof stubPartnership>
beforeEach(() => {
  server = stubPartnership()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const NONE: PartnerBilling = { company: '', companyAddress: '', vatNumber: '' }

const openForm = async (billing = NONE) => {
  server.answers('getPartnerBilling', 200, billing)
  await openPartnershipWith(server, {})
  fireEvent.click(screen.getByRole('button', { name: 'Tax details' }))
  await screen.findByRole('heading', { name: 'Tax details' })
}
const type = (label: string, value: string) => enter(screen.getByLabelText(label), value)
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('saves whom documents are to, with the agreement that a VAT number needs', async () => {
  await openForm()
  type('Your name, or the name of your business', 'Ada Ltd')
  type('Address', '1 Lane')
  expect(screen.queryByLabelText('I agree to self-billing')).toBeNull()
  type('VAT number', 'GB123456789')
  fireEvent.click(screen.getByLabelText('I agree to self-billing'))
  server.answers('savePartnerBilling', 200, NONE)
  save()
  await screen.findByText('Your tax details are saved')
  expect(server.callsOf('savePartnerBilling').map(({ body }) => body)).toEqual([
    { company: 'Ada Ltd', companyAddress: '1 Lane', vatNumber: 'GB123456789', agrees: true },
  ])
})

test('says what is wrong at its field, and keeps what was typed', async () => {
  await openForm()
  type('Your name, or the name of your business', 'Ada Ltd')
  type('VAT number', '12')
  save()
  await screen.findByText(/Begin with the two letters of your country/)
  await waitFor(() => screen.getByText('Please agree to self-billing, or leave the VAT number empty'))
  expect([typedIn('Your name, or the name of your business'), typedIn('VAT number')]).toEqual([
    'Ada Ltd',
    '12',
  ])
  type('VAT number', '')
  type('Address', '1 Lane')
  server.refuses('savePartnerBilling', 503, 'We cannot answer right now.')
  save()
  await screen.findByText('We cannot answer right now.')
  expect(typedIn('Address')).toBe('1 Lane')
})

test('says when the agreement has ended', async () => {
  await openForm({ ...NONE, company: 'Ada', vatNumber: 'GB123456789', agreedUntil: '2026-01-31T12:00:00Z' })
  screen.getByText(/ended on 31\/01\/2026/)
  expect(screen.getByLabelText<HTMLInputElement>('I agree to self-billing').checked).toBe(false)
})
