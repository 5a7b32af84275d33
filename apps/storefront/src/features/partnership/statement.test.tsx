import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anEntry } from '#testing/fixtures.ts'
import { openPartnershipWith, stubPartnership } from '#testing/open-partnership.tsx'

let server: ReturnType<typeof stubPartnership>
beforeEach(() => {
  server = stubPartnership()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const openWith = () => openPartnershipWith(server)

describe('the statement', () => {
  test('explains how to begin while there is nothing', async () => {
    await openWith()
    await screen.findByRole('heading', { name: 'Nothing earned yet' })
  })

  test('shows the newest first, and more when they are wanted', async () => {
    server.answers('getStatement', 200, {
      entries: [anEntry({ _id: '12', amount: 1 }), anEntry({ _id: '11', amount: 2 })],
      hasMore: true,
    })
    await openWith()
    const table = within(await screen.findByRole('table', { name: 'Statement' }))
    expect(table.getAllByText(/\+£/).map((amount) => amount.textContent)).toEqual(['+£1.00', '+£2.00'])
    server.answers('getStatement', 200, { entries: [anEntry({ _id: '10', amount: 3 })], hasMore: false })
    fireEvent.click(screen.getByRole('button', { name: 'Show more entries' }))
    await table.findByText('+£3.00')
    expect(table.getAllByText(/\+£/)).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Show more entries' })).toBeNull()
  })

  test('keeps what it shows when more does not load', async () => {
    server.answers('getStatement', 200, { entries: [anEntry()], hasMore: true })
    await openWith()
    await screen.findByRole('table', { name: 'Statement' })
    server.refuses('getStatement', 503, 'We cannot answer right now.')
    fireEvent.click(screen.getByRole('button', { name: 'Show more entries' }))
    await screen.findByText('We cannot answer right now.')
    screen.getByText('+£4.51')
  })

  test('says that it did not load', async () => {
    server.refuses('getStatement', 503, 'We cannot answer right now.')
    await openWith()
    await screen.findByText('The statement did not load')
  })
})
