import { MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readToken } from '#lib/access-token.ts'
import { aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, openShop, openShopAs, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const send = async () => {
  await waitFor(() => expect(button('Continue').disabled).toBe(false))
  fireEvent.click(button('Continue'))
}
const logIn = async (email = 'ada@example.org') => {
  fill('Email', email)
  fill('Password', 'correct horse')
  await send()
}
const signUp = async () => {
  fill('Name', 'Ada')
  fill('Email', 'ada@example.org')
  fill('Password', 'correct horse')
  tick(/I accept/)
  await send()
}
const alertText = async () => (await screen.findByRole('alert')).textContent

describe('Sign In', () => {
  test.each([
    ['Email', '', MESSAGES.loginRequired],
    ['Password', '', MESSAGES.loginPasswordRequired],
    ['Password', 'seven77', MESSAGES.loginPasswordShort],
  ])('%s with "%s" shows: %s', async (label, value, message) => {
    await openShop('/login')
    fill(label, value)
    const error = await screen.findByText(message)
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(error.parentElement?.id)
    expect(button('Continue').disabled).toBe(true)
  })

  test('carries the names and the autocomplete of the API', async () => {
    await openShop('/login')
    expect(screen.getByLabelText('Email')).toMatchObject({ name: 'username', autocomplete: 'username' })
    expect(screen.getByLabelText('Password')).toMatchObject({
      name: 'password',
      autocomplete: 'current-password',
    })
  })

  test('leads to the profile, and remembers the token', async () => {
    server.answers('login', 200, { access_token: 'fresh', profile: aProfile() })
    server.answers('getProfile', 200, aProfile())
    await openShop('/login')
    await logIn()
    await screen.findByRole('heading', { name: 'Welcome, Ada' })
    expect(address()).toBe('/profile')
    expect(readToken()).toBe('fresh')
    expect(server.callsOf('login')[0]?.body).toEqual({
      username: 'ada@example.org',
      password: 'correct horse',
    })
  })

  test.each([
    ['/calculator?days=7', '/calculator?days=7'],
    ['//evil.example', '/profile'],
    ['https://evil.example', '/profile'],
  ])('asked for %s, goes to %s', async (wanted, reached) => {
    server.answers('login', 200, { access_token: 'fresh', profile: aProfile() })
    server.answers('getProfile', 200, aProfile())
    await openShop(`/login?redirectUrl=${encodeURIComponent(wanted)}`)
    await logIn()
    await waitFor(() => expect(address()).toBe(reached))
  })

  test('someone logged in is sent on', async () => {
    await openShopAs(aProfile(), server, '/login')
    await waitFor(() => expect(address()).toBe('/profile'))
  })

  test('401 shows the message of the server and clears the email', async () => {
    server.refuses('login', 401, 'The email or the password is wrong.')
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe('The email or the password is wrong.')
    const email = screen.getByLabelText<HTMLInputElement>('Email')
    expect(email.value).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(email))
    expect(button('Continue').disabled).toBe(true)
  })

  test('404 is a connection error', async () => {
    server.refuses('login', 404)
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe(MESSAGES.connectionError)
  })

  test('a failure of ours is shown with its reference', async () => {
    server.refuses('login', 500, 'Told by the server', { requestId: 'kdmfaopbgcehnjil' })
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe(`${MESSAGES.serverError}Reference kdmfaopbgcehnjil`)
  })

  test.each([400, 403, 500, 503])('%i is a server error', async (status) => {
    server.refuses('login', status)
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe(MESSAGES.serverError)
    await waitFor(() => expect(document.activeElement?.textContent).toBe(MESSAGES.serverError))
  })

  test('a lost connection is a server error', async () => {
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe(MESSAGES.serverError)
  })

  test('429 is a server error, and says what the server says of it', async () => {
    server.refuses('login', 429, 'Too many attempts.')
    await openShop('/login')
    await logIn()
    expect(await alertText()).toBe(`${MESSAGES.serverError}Too many attempts.`)
  })

  test('422 shows the messages at their fields', async () => {
    server.refuses('login', 422, 'x', { errors: [{ path: 'password', message: 'Not this one' }] })
    await openShop('/login')
    await logIn()
    await screen.findByText('Not this one')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
  })

  test('the email of the address is filled in', async () => {
    await openShop('/login?email=ada%40example.org')
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org'),
    )
  })

  test('two presses log in once', async () => {
    server.hangs('login')
    await openShop('/login')
    await logIn()
    fireEvent.click(button('Continue'))
    await waitFor(() => expect(server.callsOf('login')).toHaveLength(1))
  })
})

describe('Sign Up', () => {
  test.each([
    ['Name', '', MESSAGES.nameRequired],
    ['Name', 'A', MESSAGES.nameShort],
    ['Email', '', MESSAGES.emailRequired],
    ['Email', 'ada@', MESSAGES.emailInvalid],
    ['Password', '', MESSAGES.passwordRequired],
    ['Password', 'seven77', MESSAGES.passwordShort],
  ])('%s with "%s" shows: %s', async (label, value, message) => {
    await openShop('/signup')
    fill(label, value)
    await screen.findByText(message)
    expect(button('Continue').disabled).toBe(true)
  })

  test('the terms have to be accepted', async () => {
    await openShop('/signup')
    tick(/I accept/)
    tick(/I accept/)
    await screen.findByText(MESSAGES.termsRequired)
  })

  test('the terms open beside the form, which keeps what was typed', async () => {
    await openShop('/signup')
    const terms = screen.getByRole<HTMLAnchorElement>('link', { name: /^terms of service and the privacy/ })
    expect([terms.pathname, terms.target]).toEqual(['/terms', '_blank'])
  })

  test('is a tab with an address that keeps where to go', async () => {
    await openShop('/login?redirectUrl=%2Fcalculator')
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    expect(address()).toBe('/signup?redirectUrl=%2Fcalculator')
    expect(screen.getByLabelText('Password')).toMatchObject({
      name: 'signupPassword',
      autocomplete: 'new-password',
    })
  })

  test('leads to the page that says where the mail went', async () => {
    server.answers('signup', 201, { email: 'ada@example.org', signupSecret: 'of-this-browser' })
    await openShop('/signup')
    await signUp()
    await waitFor(() => expect(address()).toBe('/confirm?email=ada%40example.org'))
    expect(server.callsOf('signup')[0]?.body).toEqual({
      name: 'Ada',
      email: 'ada@example.org',
      signupPassword: 'correct horse',
      acceptTerms: true,
    })
  })

  test('406 clears email and password and shows the message of the server', async () => {
    server.refuses('signup', 406, 'This email is already registered.')
    await openShop('/signup')
    await signUp()
    expect(await alertText()).toBe('This email is already registered.')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    // Untouched again: an empty field is not complained about.
    expect(screen.queryByText(MESSAGES.emailRequired)).toBeNull()
    expect(screen.queryByText(MESSAGES.passwordRequired)).toBeNull()
    expect(button('Continue').disabled).toBe(true)
  })

  test('422 shows the messages at their fields', async () => {
    server.refuses('signup', 422, 'x', { errors: [{ path: 'signupPassword', message: 'Too common' }] })
    await openShop('/signup')
    await signUp()
    await screen.findByText('Too common')
  })

  test('a failure of ours is shown with its reference, outside of the Russian words', async () => {
    server.refuses('signup', 500, 'Told by the server', { requestId: 'kdmfaopbgcehnjil' })
    await openShop('/signup')
    await signUp()
    const reference = await screen.findByText('Reference kdmfaopbgcehnjil')
    expect(reference.closest('[lang]')?.getAttribute('lang')).not.toBe('ru')
  })

  test.each([409, 500])('%i is shown in Russian', async (status) => {
    server.refuses('signup', status)
    await openShop('/signup')
    await signUp()
    expect(await alertText()).toBe(MESSAGES.signupFailed)
  })
})
