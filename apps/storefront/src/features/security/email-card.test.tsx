import type { EmailChange } from '@hedgerow/contract/email-change'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EmailCard } from '#features/security/email-card.tsx'
import { storeToken } from '#lib/access-token.ts'
import { SessionProvider } from '#shared/session.tsx'
import { aProfile } from '#testing/fixtures.ts'
import { button, closeShop, fill } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const NOTHING: EmailChange = { email: 'ada@example.org', pending: null, undoable: null }
const PENDING: EmailChange = {
  ...NOTHING,
  pending: {
    email: 'grace@example.org',
    askedAt: '2026-11-21T14:05:00.000Z',
    expiresAt: '2026-11-22T14:05:00.000Z',
  },
}

const renderCard = () => {
  storeToken('a-token')
  server.answers('getProfile', 200, aProfile())
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <ToastProvider>
          <EmailCard />
        </ToastProvider>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

const openCard = async (state: EmailChange) => {
  server.answers('getEmailChange', 200, state)
  renderCard()
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
}

test('asks for another address, and then says where the link was sent and until when it works', async () => {
  await openCard(NOTHING)
  await screen.findByText('ada@example.org')
  fill('New email', 'grace@example')
  await screen.findByText('Enter correct email address')
  expect(button('Send the link').disabled).toBe(true)
  fill('New email', 'grace@example.org')
  server.answers('askForEmailChange', 200, {})
  server.answers('getEmailChange', 200, PENDING)
  await waitFor(() => expect(button('Send the link').disabled).toBe(false))
  fireEvent.click(button('Send the link'))
  await screen.findByText('22/11/2026 23:05')
  expect(server.callsOf('askForEmailChange').map(({ body }) => body)).toEqual([
    { email: 'grace@example.org' },
  ])
  expect(screen.queryByLabelText('New email')).toBeNull()
  // The form had the focus.
  expect(document.activeElement?.textContent).toContain('Check your inbox')
})

test('says at the field what the server refuses, and keeps it', async () => {
  await openCard(NOTHING)
  const errors = [{ path: 'email', message: 'This is already the email of your account' }]
  server.refuses('askForEmailChange', 422, 'x', { errors })
  fill('New email', 'ada@example.org')
  await waitFor(() => expect(button('Send the link').disabled).toBe(false))
  fireEvent.click(button('Send the link'))
  await screen.findByText('This is already the email of your account')
  expect(screen.getByLabelText<HTMLInputElement>('New email').value).toBe('ada@example.org')
})

test('sends the link again to the same address', async () => {
  await openCard(PENDING)
  server.answers('askForEmailChange', 200, {})
  fireEvent.click(button('Send again'))
  await screen.findByText('The link has been sent again')
  expect(server.callsOf('askForEmailChange').map(({ body }) => body)).toEqual([
    { email: 'grace@example.org' },
  ])
})

test('says why the link was not sent again, or the change not withdrawn', async () => {
  await openCard(PENDING)
  server.refuses('askForEmailChange', 429, 'Too many attempts.')
  fireEvent.click(button('Send again'))
  expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
  fireEvent.click(button('Withdraw'))
  await screen.findByText('The change was not withdrawn')
})

test('withdraws the change, and asks for an address again', async () => {
  await openCard(PENDING)
  server.answers('withdrawEmailChange', 200, {})
  server.answers('getEmailChange', 200, NOTHING)
  fireEvent.click(button('Withdraw'))
  await screen.findByLabelText('New email')
  expect(document.activeElement?.textContent).toBe('Email')
})

test('tells of a change that can still be undone, from where and until when', async () => {
  await openCard({
    email: 'ada@example.org',
    pending: null,
    undoable: {
      oldEmail: 'byron@example.org',
      changedAt: '2026-11-21T14:05:00.000Z',
      undoUntil: '2026-11-28T14:05:00.000Z',
    },
  })
  const notice = (await screen.findByText('byron@example.org')).closest('[role=status]')
  expect(notice?.textContent).toContain('21/11/2026')
  expect(notice?.textContent).toContain('28/11/2026')
})

test('has the profile loaded anew when the address was changed elsewhere', async () => {
  await openCard({ ...NOTHING, email: 'grace@example.org' })
  await screen.findByText('grace@example.org')
  await waitFor(() => expect(server.callsOf('getProfile').length).toBeGreaterThan(1))
})

test('says so when it does not load, and tries again', async () => {
  server.refuses('getEmailChange', 429, 'Too many attempts.')
  renderCard()
  expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
  server.answers('getEmailChange', 200, NOTHING)
  fireEvent.click(button('Try again'))
  await screen.findByLabelText('New email')
})
