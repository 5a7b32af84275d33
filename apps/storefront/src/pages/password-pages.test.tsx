import { MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, openLink, openShop } from '#testing/open-shop.tsx'
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

const send = async (name = 'Continue') => {
  await waitFor(() => expect(button(name).disabled).toBe(false))
  fireEvent.click(button(name))
}

describe.each(['/forgot', '/reset'])('%s', (path) => {
  test.each([
    ['', MESSAGES.forgotRequired],
    ['a@', MESSAGES.forgotInvalid],
    ['ada.example.org', MESSAGES.forgotInvalid],
  ])('"%s" shows: %s', async (value, message) => {
    await openShop(path)
    fill('Email', value)
    await screen.findByText(message)
    expect(button('Continue').disabled).toBe(true)
  })

  test('leads to the log-in, which says that a mail was sent', async () => {
    server.answers('forgotPassword', 200, {})
    await openShop(path)
    fill('Email', 'ada@example.org')
    await send()
    await screen.findByText(/If there is an account for ada@example.org/)
    expect(address()).toBe('/login')
  })

  test('when it fails, says so and keeps the address', async () => {
    await openShop(path)
    fill('Email', 'ada@example.org')
    await send()
    await screen.findByRole('alert')
    expect(address()).toBe(path)
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
  })
})

describe('/confirm/:token', () => {
  const aReply = () => ({ access_token: 'a-token-of-twenty-letters', profile: aProfile() })
  const bodies = () => server.callsOf('confirmAccount').map(({ body }) => body)

  test('the browser that signed up confirms by itself, once, and is logged in', async () => {
    localStorage.setItem('signup_secret', 'of-this-browser')
    server.answers('confirmAccount', 200, aReply())
    await openShop('/confirm/abc')
    await screen.findByText(/You are logged in/)
    expect(address()).toBe(`/result?email=${encodeURIComponent(aProfile().email)}`)
    expect(bodies()).toEqual([{ signupSecret: 'of-this-browser' }])
    expect(localStorage.getItem('signup_secret')).toBeNull()
  })

  test('another browser asks for the password, and sends nothing before', async () => {
    server.answers('confirmAccount', 200, aReply())
    await openLink('/confirm/abc')
    fill('Password', 'correct horse')
    expect(bodies()).toEqual([])
    await send()
    await screen.findByText(/You are logged in/)
    expect(bodies()).toEqual([{ password: 'correct horse' }])
  })

  test.each([422, 429, 500])('a secret that is refused with %i gives way to the password', async (status) => {
    localStorage.setItem('signup_secret', 'of-another-account')
    server.refuses('confirmAccount', status)
    await openShop('/confirm/abc')
    await screen.findByLabelText('Password')
    expect(bodies()).toHaveLength(1)
    expect(localStorage.getItem('signup_secret')).toBe('of-another-account')
  })

  test('whose password is not right reads so at the field', async () => {
    const errors = [{ path: 'password', message: 'The password is wrong' }]
    server.refuses('confirmAccount', 422, 'x', { errors })
    await openLink('/confirm/abc')
    fill('Password', 'correct house')
    await send()
    await screen.findByText('The password is wrong')
    expect(address()).toBe('/confirm/abc')
  })

  test('who did not sign up chooses a password', async () => {
    server.answers('confirmAccount', 200, aReply())
    await openLink('/confirm/abc')
    fireEvent.click(button('Choose a new password'))
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct house')
    await screen.findByText(MESSAGES.passwordsDiffer)
    fill('Repeat password', 'correct horse')
    await send()
    await screen.findByText(/You are logged in/)
    expect(bodies()).toEqual([{ newPassword: 'correct horse' }])
  })

  test('a link that is over leads to the page that says so', async () => {
    server.refuses('confirmAccount', 400)
    await openLink('/confirm/abc')
    fill('Password', 'correct horse')
    await send()
    await waitFor(() => expect(address()).toBe('/confirm-failed'))
  })

  test('a lost connection keeps what was typed', async () => {
    await openLink('/confirm/abc')
    fill('Password', 'correct horse')
    await send()
    await screen.findByText(/could not reach the server/)
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('correct horse')
  })
})

describe('/reset/:token', () => {
  const choose = async () => {
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct horse')
    await send()
  }

  test('a short password and a different repeat are shown', async () => {
    await openLink('/reset/abc')
    fill('New password', 'seven77')
    await screen.findByText(MESSAGES.newPasswordShort)
    fill('Repeat password', 'correct')
    await screen.findByText(MESSAGES.passwordsDiffer)
    expect(MESSAGES.passwordsDiffer).toBe('Passwords do not mach')
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct horse')
    await waitFor(() => expect(screen.queryByText(MESSAGES.passwordsDiffer)).toBeNull())
  })

  test('changing the password after its repeat is shown at the repeat', async () => {
    await openLink('/reset/abc')
    fill('New password', 'correct horse')
    fill('Repeat password', 'correct horse')
    fill('New password', 'correct house')
    await screen.findByText(MESSAGES.passwordsDiffer)
  })

  test('sends the token and leads to reset-success', async () => {
    server.answers('resetPassword', 200, { email: 'ada@example.org' })
    await openLink('/reset/abc')
    await choose()
    await screen.findByText('Password updated. Please, log in using your new password')
    expect(server.callsOf('resetPassword')[0]?.body).toEqual({ token: 'abc', password: 'correct horse' })
  })

  test.each([400, 404, 500, 503])('%i leads to reset-failed', async (status) => {
    server.refuses('resetPassword', status)
    await openLink('/reset/abc')
    await choose()
    await screen.findByText('Password reset failed. Your password reset link is invalid')
    expect(address()).toBe('/reset-failed')
  })

  test('a lost connection leads to reset-failed', async () => {
    await openLink('/reset/abc')
    await choose()
    await waitFor(() => expect(address()).toBe('/reset-failed'))
  })

  test('a missing token leads to reset-failed', async () => {
    await openShop('/reset/%20')
    await waitFor(() => expect(address()).toBe('/reset-failed'))
  })

  test('a password that is too common is shown, and the page stays', async () => {
    server.refuses('resetPassword', 422, 'x', { errors: [{ path: 'password', message: 'Too common' }] })
    await openLink('/reset/abc')
    await choose()
    await screen.findByText('Too common')
    expect(address()).toBe('/reset/abc')
  })

  test('after 429 the page stays and keeps what was typed', async () => {
    server.refuses('resetPassword', 429, 'Later, please')
    await openLink('/reset/abc')
    await choose()
    await screen.findByText('Later, please')
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('correct horse')
  })

  test('the address is not told to other pages', async () => {
    await openLink('/reset/abc')
    expect(document.querySelector('meta[name=referrer]')?.getAttribute('content')).toBe('no-referrer')
  })
})

describe('confirmation', () => {
  test('/confirm shows the address and sends the link again', async () => {
    server.answers('resendConfirmation', 200, {})
    await openShop('/confirm?email=ada%40example.org')
    await screen.findByText('ada@example.org')
    fireEvent.click(button('Send it again'))
    await screen.findByText(/a new link is on its way/)
    expect(server.callsOf('resendConfirmation')[0]?.body).toEqual({ username: 'ada@example.org' })
  })

  test.each(['/confirm', '/confirm?email=pay%20me', `/confirm?email=${'a'.repeat(260)}%40example.org`])(
    '%s shows a placeholder',
    async (path) => {
      await openShop(path)
      await screen.findByText('your address')
      expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull()
    },
  )

  test('/confirm-failed sends a new link', async () => {
    server.answers('resendConfirmation', 200, {})
    await openShop('/confirm-failed')
    fill('Email', 'ada@example.org')
    await send('Send a new link')
    await screen.findByText(/a new link is on its way/)
  })

  test('/result leads to the log-in with the email filled in', async () => {
    await openShop('/result?email=ada%40example.org')
    const main = screen.getByRole('main')
    const login = [...main.querySelectorAll('a')].find((link) => link.textContent === 'Login')
    expect(login?.getAttribute('href')).toBe('/login?email=ada%40example.org')
  })
})
