import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aProfile } from '#testing/fixtures.ts'
import { button, closeShop, fill, openLink, openShopAs } from '#testing/open-shop.tsx'
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

const link = (name: string) =>
  screen
    .queryAllByRole<HTMLAnchorElement>('link', { name })
    .find(({ parentElement }) => parentElement?.closest('main'))

describe('/email/confirm/:token', () => {
  const press = () => fireEvent.click(button('Confirm my new email'))

  test('sends nothing before the button is pressed, and then the token', async () => {
    server.answers('confirmEmailChange', 200, { email: 'grace@example.org' })
    await openLink('/email/confirm/abc')
    await screen.findByRole('button', { name: 'Confirm my new email' })
    expect(server.callsOf('confirmEmailChange')).toEqual([])
    press()
    await screen.findByText('grace@example.org')
    expect(server.callsOf('confirmEmailChange').map(({ body }) => body)).toEqual([{ token: 'abc' }])
    expect(link('Log in')?.getAttribute('href')).toBe('/login?email=grace%40example.org')
  })

  test('shows whoever is logged in here the account by its new address', async () => {
    await openShopAs(aProfile(), server, '/email/confirm/abc')
    await screen.findByRole('button', { name: 'Confirm my new email' })
    server.answers('confirmEmailChange', 200, { email: 'grace@example.org' })
    server.answers('getProfile', 200, aProfile({ email: 'grace@example.org' }))
    press()
    await screen.findByText('grace@example.org')
    expect(link('Open my account')?.getAttribute('href')).toBe('/profile')
  })

  test('sends whoever is logged in here as someone else to the log-in', async () => {
    await openShopAs(aProfile({ email: 'eve@example.org' }), server, '/email/confirm/abc')
    await screen.findByRole('button', { name: 'Confirm my new email' })
    server.answers('confirmEmailChange', 200, { email: 'grace@example.org' })
    press()
    await screen.findByText('grace@example.org')
    expect(link('Open my account')).toBeUndefined()
    expect(link('Log in')).toBeDefined()
  })

  test.each([400, 409, 429])('says why it was refused with %i', async (status) => {
    server.refuses('confirmEmailChange', status)
    await openLink('/email/confirm/abc')
    await screen.findByRole('button', { name: 'Confirm my new email' })
    press()
    expect((await screen.findByRole('alert')).textContent).toContain('Told by the server')
    // A link that is over has no button any more; what may come right has.
    expect(screen.queryByRole('button', { name: 'Confirm my new email' }) === null).toBe(status === 400)
    expect(link('Open Security') !== undefined).toBe(status === 400)
  })
})

describe('/email/undo/:token', () => {
  const send = async () => {
    await waitFor(() => expect(button('Undo the change').disabled).toBe(false))
    fireEvent.click(button('Undo the change'))
  }

  test('wants a new password twice, and leads to the log-in', async () => {
    server.answers('undoEmailChange', 200, { email: 'ada@example.org' })
    await openLink('/email/undo/abc')
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct house')
    await screen.findByText('Passwords do not mach')
    expect(button('Undo the change').disabled).toBe(true)
    fill('Repeat password', 'correct horse')
    await send()
    await screen.findByText('ada@example.org')
    expect(server.callsOf('undoEmailChange').map(({ body }) => body)).toEqual([
      { token: 'abc', password: 'correct horse' },
    ])
    expect(link('Log in')?.getAttribute('href')).toBe(
      '/login?redirectUrl=%2Fprofile%2Fsecurity&email=ada%40example.org',
    )
    expect(screen.getByText(/look at the passkeys/)).toBeTruthy()
  })

  test('ends the session that this browser has', async () => {
    await openShopAs(aProfile(), server, '/email/undo/abc')
    await screen.findByText('Ada')
    await screen.findByLabelText('New password')
    server.answers('undoEmailChange', 200, { email: 'ada@example.org' })
    server.refuses('getProfile', 401)
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct horse')
    await send()
    await screen.findByText('ada@example.org')
    await waitFor(() => expect(localStorage.getItem('access_token')).toBeNull())
  })

  test('says at the field what is wrong with the password', async () => {
    const errors = [{ path: 'password', message: 'This password is too common' }]
    server.refuses('undoEmailChange', 422, 'x', { errors })
    await openLink('/email/undo/abc')
    fill('New password', 'password1')
    fill('Repeat password', 'password1')
    await send()
    await screen.findByText('This password is too common')
  })

  test.each([400, 409])('says why it was refused with %i, and keeps what was typed', async (status) => {
    server.refuses('undoEmailChange', status)
    await openLink('/email/undo/abc')
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct horse')
    await send()
    expect((await screen.findByRole('alert')).textContent).toContain('Told by the server')
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('correct horse')
  })
})
