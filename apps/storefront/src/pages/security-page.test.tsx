import type { SecurityEventReply, Session } from '@hedgerow/contract/sessions'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PROFILE } from '#testing/open-profile.tsx'
import { address, button, closeShop, fill, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const aSession = (more: Partial<Session> = {}): Session => ({
  _id: '00000000-0000-4000-8000-000000000001',
  browser: 'Chrome on Windows',
  network: '203.0.113.0/24',
  createdAt: hoursAgo(100),
  lastUsedAt: hoursAgo(0),
  expiresAt: hoursAgo(-700),
  isCurrent: true,
  ...more,
})
const OWN = aSession()
const PHONE = aSession({
  _id: '00000000-0000-4000-8000-000000000002',
  browser: 'Firefox on Android',
  network: null,
  lastUsedAt: hoursAgo(49),
  isCurrent: false,
})
const UNKNOWN = aSession({
  _id: '00000000-0000-4000-8000-000000000003',
  browser: null,
  lastUsedAt: hoursAgo(3),
  isCurrent: false,
})

const anEvent = (more: Partial<SecurityEventReply> = {}): SecurityEventReply => ({
  _id: '7',
  kind: 'log-in',
  browser: 'Chrome on Windows',
  network: '203.0.113.0/24',
  times: 1,
  at: '2026-11-21T14:05:00.000Z',
  lastAt: '2026-11-21T14:05:00.000Z',
  ...more,
})

beforeEach(() => {
  server = stubServer()
  server.answers('listSessions', 200, [PHONE, OWN, UNKNOWN])
  server.answers('listSecurityEvents', 200, { events: [anEvent()], hasMore: false })
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const open = async () => {
  await openShopAs(PROFILE, server, '/profile/security')
  await screen.findByRole('heading', { level: 1, name: 'Security' })
  await screen.findByRole('heading', { name: 'Where you are logged in' })
}
const part = (name: string) => within(screen.getByRole('region', { name }))
const rows = async () =>
  (await part('Where you are logged in').findAllByRole('listitem')).map(({ textContent }) => textContent)

describe('the way there', () => {
  test('is in the Profile tab, and back', async () => {
    await openShopAs(PROFILE, server, '/profile?tab=profile')
    fireEvent.click(await screen.findByRole('link', { name: 'Security settings' }))
    await waitFor(() => expect(address()).toBe('/profile/security'))
    fireEvent.click(await screen.findByRole('link', { name: 'Back to your profile' }))
    await waitFor(() => expect(address()).toBe('/profile?tab=profile'))
  })

  test('leads a visitor through the log-in', async () => {
    closeShop()
    const { openShop } = await import('#testing/open-shop.tsx')
    await openShop('/profile/security')
    await waitFor(() => expect(address()).toBe('/login?redirectUrl=%2Fprofile%2Fsecurity'))
  })
})

describe('Change your password', () => {
  const typePasswords = (repeat = 'a robin on the gate') => {
    fill('Old password', 'the old one')
    fill('New password', 'a robin on the gate')
    fill('Repeat password', repeat)
  }
  const send = async () => {
    await waitFor(() => expect(button('Change password').disabled).toBe(false))
    fireEvent.click(button('Change password'))
  }

  test('sends both passwords, says so, and forgets what was typed', async () => {
    await open()
    server.answers('changePassword', 200, {})
    server.answers('listSessions', 200, [OWN])
    typePasswords()
    await send()
    await screen.findByText('Your password has been changed')
    expect(server.callsOf('changePassword')[0]?.body).toEqual({
      password: 'the old one',
      newPassword: 'a robin on the gate',
    })
    expect(screen.getByLabelText<HTMLInputElement>('Old password').value).toBe('')
    // The others have ended by it.
    await waitFor(async () => expect(await rows()).toHaveLength(1))
  })

  test('shows a different repeat, and stays disabled', async () => {
    await open()
    typePasswords('a robin on the date')
    await screen.findByText('Passwords do not mach')
    expect(button('Change password').disabled).toBe(true)
  })

  test('shows a wrong old password at its field', async () => {
    await open()
    server.refuses('changePassword', 422, 'x', {
      errors: [{ path: 'password', message: 'The old password is wrong' }],
    })
    typePasswords()
    await send()
    await screen.findByText('The old password is wrong')
    expect(address()).toBe('/profile/security')
  })
})

describe('Where you are logged in', () => {
  test('names each session, this one first', async () => {
    await open()
    expect(await rows()).toEqual([
      'Chrome on WindowsThis sessionNetwork 203.0.113.0/24. In use now.',
      'Firefox on AndroidLast used 2 days ago.End',
      'Unknown browserNetwork 203.0.113.0/24. Last used 3 hours ago.End',
    ])
  })

  test('ends one, and the heading takes the focus of the button that is gone', async () => {
    await open()
    server.answers('endSession', 200, {})
    fireEvent.click(await screen.findByRole('button', { name: 'End Firefox on Android' }))
    server.answers('listSessions', 200, [OWN, UNKNOWN])
    await screen.findByText('The session has been ended')
    expect(server.callsOf('endSession')[0]?.path).toBe(`/api/v1/user/sessions/${PHONE._id}`)
    expect(await rows()).toHaveLength(2)
    expect(document.activeElement?.textContent).toBe('Where you are logged in')
  })

  test('ends all others, counted', async () => {
    await open()
    server.answers('endOtherSessions', 200, {})
    fireEvent.click(await screen.findByRole('button', { name: 'End all others (2)' }))
    server.answers('listSessions', 200, [OWN])
    await screen.findByText('All other sessions have been ended')
    expect(await rows()).toHaveLength(1)
    expect(screen.queryByRole('button', { name: /End all others/ })).toBeNull()
  })

  test('says why one was not ended, and shows what there is now', async () => {
    await open()
    server.refuses('endSession', 404, 'We could not find this session. It may have ended already.')
    fireEvent.click(await screen.findByRole('button', { name: 'End Firefox on Android' }))
    server.answers('listSessions', 200, [OWN, UNKNOWN])
    expect((await screen.findByRole('alert')).textContent).toContain('It may have ended already.')
    await waitFor(async () => expect(await rows()).toHaveLength(2))
  })

  test('did not load: it says so without alarm where the connection was lost, and tries again', async () => {
    // As at once, without the pauses between the tries.
    server.refuses('listSessions', 429, 'Too many attempts.')
    await open()
    await screen.findByText('Too many attempts.')
    server.answers('listSessions', 200, [OWN])
    fireEvent.click(part('Where you are logged in').getByRole('button', { name: 'Try again' }))
    expect(await rows()).toHaveLength(1)
  })
})

describe('Recent activity', () => {
  test('says what, how often, when and from where', async () => {
    server.answers('listSecurityEvents', 200, {
      events: [
        anEvent({ kind: 'log-in-failed', times: 12, browser: null, network: null }),
        anEvent({ _id: '6' }),
        anEvent({ _id: '5', kind: 'of-another-version' }),
      ],
      hasMore: false,
    })
    await open()
    const items = await part('Recent activity').findAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'A log-in with a wrong password was refused, 12 times within the hour21/11/2026 23:05, Unknown browser',
      'Logged in21/11/2026 23:05, Chrome on Windows, network 203.0.113.0/24',
      'of-another-version21/11/2026 23:05, Chrome on Windows, network 203.0.113.0/24',
    ])
    part('Recent activity').getByText(/We keep this for 90 days/)
  })

  test('shows older ones by a button', async () => {
    server.answers('listSecurityEvents', 200, { events: [anEvent()], hasMore: true })
    await open()
    const more = await screen.findByRole('button', { name: 'Show older' })
    server.answers('listSecurityEvents', 200, { events: [anEvent({ _id: '3' })], hasMore: false })
    fireEvent.click(more)
    await waitFor(() => expect(part('Recent activity').getAllByRole('listitem')).toHaveLength(2))
    expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
  })

  test('says when there is none', async () => {
    server.answers('listSecurityEvents', 200, { events: [], hasMore: false })
    await open()
    await part('Recent activity').findByText('Nothing yet.')
  })
})
