import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import GatewayComparisonPage from '#pages/reconciliation/gateway-comparison-page.tsx'
import { stubServer } from '#testing/server.ts'
import { show } from '#testing/show.tsx'

const WHOLE = { compared: 2, different: [], silent: 0, next: null }

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('compareDay', WHOLE)
  show(<GatewayComparisonPage />)
})

const day = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string, more = {}) => fireEvent.click(screen.getByRole('button', { name }), more)
const asked = () => server.callsOf('compareDay').map(({ query }) => query)
const said = async (words: RegExp) =>
  (await screen.findByText(words, { selector: '[role=status]' })).textContent

test('each day is compared', async () => {
  day('From', '2026-11-20')
  day('To', '2026-11-21')
  press('Compare')
  expect(await said(/4 compared, 0 differ\./)).toBeTruthy()
  expect(asked()).toEqual([
    { day: '2026-11-20', skip: '0' },
    { day: '2026-11-21', skip: '0' },
  ])
})

test('what differs is led to', async () => {
  const createdAt = '2026-11-20T12:00:00.000Z'
  server.answers('compareDay', {
    ...WHOLE,
    different: [{ paymentId: 'p1', createdAt, says: ['The gateway says Success'] }],
  })
  press('Compare')
  expect(await said(/2 compared, 1 differs\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'p1' }).getAttribute('href')).toBe('/payments/p1')
})

test('one that is stopped says how far it came', async () => {
  day('From', '2026-11-20')
  day('To', '2026-11-21')
  const answer = server.hangs('compareDay')
  press('Compare')
  press('Stop', { detail: 1 })
  server.answers('compareDay', WHOLE)
  answer()
  expect(await said(/2 compared, then stopped at 2026-11-20, 0 differ\./)).toBeTruthy()
  expect(asked()).toHaveLength(1)
})

test('the second half of a double click does not stop it', async () => {
  const answer = server.hangs('compareDay')
  press('Compare', { detail: 1 })
  press('Stop', { detail: 2 })
  server.answers('compareDay', WHOLE)
  answer()
  expect(await said(/2 compared, 0 differ\./)).toBeTruthy()
})

test('one that broke off says why, and where', async () => {
  server.refuses('compareDay', 429, 'Please wait a little.')
  press('Compare')
  await screen.findByText('Please wait a little.')
  expect(await said(/0 compared, then stopped at/)).toBeTruthy()
})

test('days the wrong way round are not asked for', () => {
  day('From', '2026-11-21')
  day('To', '2026-11-20')
  press('Compare')
  expect(screen.getByText(/Choose a first day that is not after the last one/)).toBeTruthy()
  expect(asked()).toEqual([])
})
