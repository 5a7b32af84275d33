import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isRenewed, readToken, storeToken } from '#lib/access-token.ts'
import { api } from '#lib/api.ts'
import { aProfile } from '#testing/fixtures.ts'
import { openAccount } from '#testing/open-profile.tsx'
import { button, closeShop, fill } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('proofOptions', 200, { email: 'ada@example.org', ways: ['password'] })
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:a')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const TITLE = 'Confirm that it is you'
const asksAgain = (name: 'exportAccount' | 'eraseAccount' | 'getPartnership') =>
  server.refuses(name, 403, 'Please confirm first.', { code: 'ask-again' })
const isAsked = () => screen.findByRole('heading', { name: TITLE })
const dialogs = () => screen.queryAllByRole('heading', { name: TITLE })

/** What a download of all data answers does not matter here. */
const gives = () => server.answers('exportAccount', 200, {} as never)

const openProfileTab = async () => {
  await openAccount(server)
  await screen.findByRole('button', { name: 'Download my data' })
}

const press = async (name = 'Download my data') => {
  button(name).focus()
  fireEvent.click(button(name))
  await isAsked()
}

const confirm = async (password = 'the right one') => {
  fill('Password', password)
  await waitFor(() => expect(button('Confirm').disabled).toBe(false))
  fireEvent.click(button('Confirm'))
}

describe('a call that asks who is there', () => {
  test('is made again once the password was right, with the session’s new token', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    server.answers('prove', 200, { access_token: 'renewed' })
    gives()
    const loaded = server.callsOf('getProfile').length
    await confirm()
    await waitFor(() => expect(dialogs()).toEqual([]))
    await waitFor(() =>
      expect(server.callsOf('exportAccount').map(({ authorization }) => authorization)).toEqual([
        'Bearer a-token',
        'Bearer renewed',
      ]),
    )
    expect(server.callsOf('prove')[0]?.body).toEqual({ password: 'the right one' })
    expect(readToken()).toBe('renewed')
    expect(document.activeElement).toBe(button('Download my data'))
    // What was loaded is still there, and nobody was asked for it again.
    expect(server.callsOf('getProfile')).toHaveLength(loaded)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('says at the field that the password was wrong, and asks on', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    server.refuses('prove', 422, 'x', { errors: [{ path: 'password', message: 'The password is wrong' }] })
    await confirm('a wrong one')
    await screen.findByText('The password is wrong')
    expect(readToken()).toBe('a-token')
    server.answers('prove', 200, { access_token: 'renewed' })
    gives()
    await confirm()
    await waitFor(() => expect(server.callsOf('exportAccount')).toHaveLength(2))
  })

  test('that the owner would rather not answer is over without an alarm', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    fireEvent.click(button('Cancel'))
    await waitFor(() => expect(dialogs()).toEqual([]))
    await waitFor(() => expect(button('Download my data').getAttribute('aria-busy')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(document.activeElement).toBe(button('Download my data'))
    expect(server.callsOf('exportAccount')).toHaveLength(1)
    expect(readToken()).toBe('a-token')
  })

  test('leaves what was typed as it is', async () => {
    await openProfileTab()
    asksAgain('eraseAccount')
    fireEvent.click(button('Delete my account'))
    await screen.findByText(/in your partner account, at once and for good/)
    fill('Type your email', 'ada@example.org')
    fill('Password', 'the old one')
    await waitFor(() => expect(button('Delete for good').disabled).toBe(false))
    fireEvent.click(button('Delete for good'))
    await isAsked()
    fireEvent.click(button('Cancel'))
    await waitFor(() => expect(dialogs()).toEqual([]))
    expect(screen.getByLabelText<HTMLInputElement>('Type your email').value).toBe('ada@example.org')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('the old one')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('asks once for several', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    asksAgain('getPartnership')
    const calls = [api.call('exportAccount', {}), api.call('getPartnership', {})]
    await isAsked()
    await waitFor(() => expect(server.callsOf('getPartnership')).toHaveLength(1))
    expect(dialogs()).toHaveLength(1)
    server.answers('prove', 200, { access_token: 'renewed' })
    gives()
    server.answers('getPartnership', 200, {} as never)
    await confirm()
    await Promise.all(calls)
    expect(server.callsOf('prove')).toHaveLength(1)
  })

  test('tells each of several that nobody answered', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    const calls = [1, 2].map(() => api.call('exportAccount', {}).catch((error: unknown) => error))
    await isAsked()
    fireEvent.click(button('Cancel'))
    const errors = await Promise.all(calls)
    expect(errors.map(isDeclined)).toEqual([true, true])
    expect((errors[0] as Error).message).toBe('You did not confirm that it is you, so nothing was changed.')
  })

  test('says what stands in the way of asking', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    server.breaks('proofOptions')
    fireEvent.click(button('Download my data'))
    expect((await screen.findByRole('alert')).textContent).toContain('We could not reach the server')
    expect(dialogs()).toEqual([])
  })

  test('takes a code where there is a second step, and offers the passkey', async () => {
    server.answers('proofOptions', 200, {
      email: 'ada@example.org',
      ways: ['passkey', 'code'],
      passkey: { ticket: 't', options: { challenge: 'c' } },
    })
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    expect(screen.queryByLabelText('Password')).toBeNull()
    screen.getByRole('button', { name: 'Use a passkey' })
    server.answers('prove', 200, { access_token: 'renewed' })
    gives()
    fill('Code', '123 456')
    await waitFor(() => expect(button('Confirm').disabled).toBe(false))
    fireEvent.click(button('Confirm'))
    await waitFor(() => expect(server.callsOf('prove')[0]?.body).toEqual({ code: '123 456' }))
    await waitFor(() => expect(server.callsOf('exportAccount')).toHaveLength(2))
  })

  test('is answered by a proof in another tab', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    gives()
    act(() => storeToken('renewed', 'a-token'))
    await waitFor(() => expect(dialogs()).toEqual([]))
    await waitFor(() => expect(server.callsOf('exportAccount')).toHaveLength(2))
    expect(server.callsOf('prove')).toEqual([])
  })

  test('asks no more once the session has ended', async () => {
    await openProfileTab()
    asksAgain('exportAccount')
    await press()
    server.refuses('prove', 401, 'Please log in.')
    await confirm()
    await screen.findByText('Your session has ended')
    await waitFor(() => expect(dialogs()).toEqual([]))
  })
})

describe('a session that goes on by another token', () => {
  test('keeps what was loaded and typed', async () => {
    await openAccount(server)
    fireEvent.input(await screen.findByLabelText('Nickname'), { target: { value: 'Adele' } })
    server.answers('getProfile', 200, aProfile({ _id: 'customer-2', name: 'Grace' }))
    const loaded = server.callsOf('getProfile').length
    act(() => storeToken('renewed', 'a-token'))
    expect(screen.getByLabelText<HTMLInputElement>('Nickname').value).toBe('Adele')
    screen.getByRole('heading', { name: 'Welcome, Ada' })
    expect(server.callsOf('getProfile')).toHaveLength(loaded)
  })

  test('repeats what was under way with the old one', async () => {
    await openProfileTab()
    const answer = server.hangs('exportAccount')
    const call = api.call('exportAccount', {})
    act(() => storeToken('renewed', 'a-token'))
    server.refuses('exportAccount', 401)
    const answered = answer()
    // It is refused by now, and has not been made again yet.
    await Promise.resolve()
    gives()
    await answered
    await expect(call).resolves.toEqual({})
    expect(server.callsOf('exportAccount').map(({ authorization }) => authorization)).toEqual([
      'Bearer a-token',
      'Bearer renewed',
    ])
    expect(readToken()).toBe('renewed')
  })

  test('waits a moment for the other tab that renews it', async () => {
    await openProfileTab()
    server.refuses('exportAccount', 401)
    const call = api.call('exportAccount', {})
    await waitFor(() => expect(server.callsOf('exportAccount')).toHaveLength(1))
    gives()
    act(() => storeToken('renewed', 'a-token'))
    await expect(call).resolves.toEqual({})
  })

  test('is over when the new one is refused, too', async () => {
    await openProfileTab()
    server.refuses('exportAccount', 401)
    const call = api.call('exportAccount', {}).catch((error: unknown) => error)
    act(() => storeToken('renewed', 'a-token'))
    await call
    expect(server.callsOf('exportAccount')).toHaveLength(2)
    expect(readToken()).toBeNull()
  })

  test('repeats nothing for whoever has logged in since', async () => {
    await openProfileTab()
    server.answers('getProfile', 200, aProfile({ _id: 'customer-2', name: 'Grace' }))
    const answer = server.hangs('eraseAccount')
    const body = { email: 'ada@example.org', password: 'the old one' }
    const call = api.call('eraseAccount', { body }).catch((error: unknown) => error)
    act(() => storeToken('renewed', 'a-token'))
    act(() => storeToken('token-of-grace'))
    server.refuses('eraseAccount', 401)
    await answer()
    expect(await call).toBeInstanceOf(Error)
    expect(server.callsOf('eraseAccount')).toHaveLength(1)
    expect(readToken()).toBe('token-of-grace')
    expect(isRenewed('a-token')).toBe(false)
  })
})
