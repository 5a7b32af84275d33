import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readToken } from '#lib/access-token.ts'
import { aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, leavePage, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const STEP = { ticket: 'a-ticket', hasApp: true, endsAt: null }
const OVER = { code: 'second-step-over' } as const
const code = () => screen.getByLabelText<HTMLInputElement>('Code')

const toSecondStep = async (step: object = {}, path = '/login') => {
  server.answers('login', 200, { secondStep: { ...STEP, ...step } })
  await openShop(path)
  fill('Email', 'ada@example.org')
  fill('Password', 'correct horse')
  await waitFor(() => expect(button('Continue').disabled).toBe(false))
  fireEvent.click(button('Continue'))
  await screen.findByRole('heading', { name: 'One more step' })
}
const send = async (typed: string) => {
  fill('Code', typed)
  await waitFor(() => expect(button('Log in').disabled).toBe(false))
  fireEvent.click(button('Log in'))
}

describe('the second step of a log-in', () => {
  test('takes the place of the form, with the field ready', async () => {
    await toSecondStep()
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(screen.getByText('ada@example.org')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(code()))
    expect(code()).toMatchObject({ autocomplete: 'one-time-code', inputMode: 'numeric' })
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
    expect(readToken()).toBeNull()
  })

  test('leads on to where the visitor was going', async () => {
    server.answers('finishLogin', 200, { access_token: 'fresh', profile: aProfile() })
    server.answers('getProfile', 200, aProfile())
    await toSecondStep({}, '/login?redirectUrl=%2Fcalculator%3Fdays%3D7')
    await send('123 456')
    await waitFor(() => expect(address()).toBe('/calculator?days=7'))
    expect(server.callsOf('finishLogin')[0]?.body).toEqual({ ticket: 'a-ticket', code: '123 456' })
    expect(readToken()).toBe('fresh')
  })

  test('says how few recovery codes are left', async () => {
    server.answers('finishLogin', 200, { access_token: 'fresh', profile: aProfile(), recoveryCodesLeft: 2 })
    server.answers('getProfile', 200, aProfile())
    await toSecondStep()
    await send('123456')
    expect(await screen.findByText(/You have 2 recovery codes left/)).toBeTruthy()
  })

  test('keeps a wrong code in its field, with what is wrong', async () => {
    server.refuses('finishLogin', 401, 'This code is not right')
    await toSecondStep()
    await send('123456')
    expect(await screen.findByText('This code is not right')).toBeTruthy()
    expect(code().value).toBe('123456')
    await waitFor(() => expect(document.activeElement).toBe(code()))
  })

  test('leads back to the log-in when the ticket is over, with the email', async () => {
    server.refuses('finishLogin', 401, 'That took too long.', OVER)
    await toSecondStep()
    await send('123456')
    await screen.findByText('That took too long.')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
  })

  test('survives a reload', async () => {
    await toSecondStep()
    const state = window.history.state as unknown
    leavePage()
    await openShop('/login', state)
    await screen.findByRole('heading', { name: 'One more step' })
    expect(screen.getByText('ada@example.org')).toBeTruthy()
  })

  test('takes a recovery code where an app is set up', async () => {
    await toSecondStep()
    fireEvent.click(button('Use a recovery code'))
    expect(code().inputMode).toBe('text')
    expect(screen.getByText(/Each works once/)).toBeTruthy()
    fireEvent.click(button('Use the authenticator app'))
    expect(code().inputMode).toBe('numeric')
  })

  test('without an app asks for a passkey first', async () => {
    await toSecondStep({ hasApp: false, passkey: { ticket: 'a-ticket', options: { challenge: 'x' } } })
    expect(button('Use a passkey')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull()
    // This browser has none.
    fireEvent.click(button('Use a passkey'))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(code()).toBeTruthy()
  })

  test('too many tries are told, and the code stays', async () => {
    server.refuses('finishLogin', 429, 'Too many attempts. Please wait.')
    await toSecondStep()
    await send('123456')
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts')
    expect(code().value).toBe('123456')
  })

  test('can be left for another account', async () => {
    await toSecondStep()
    fireEvent.click(button('Log in as someone else'))
    await waitFor(() => expect(button('Continue')).toBeTruthy())
    const email = screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
    expect(email.value).toBe('')
    await waitFor(() => expect(document.activeElement).toBe(email))
  })
})

describe('a lost device', () => {
  const lose = async () => {
    await toSecondStep()
    fireEvent.click(button('I have lost my device'))
    await screen.findByRole('heading', { name: 'If you have lost your device' })
  }

  test('says what happens and when, before anything does', async () => {
    await lose()
    expect(screen.getByText(/takes 7 days/)).toBeTruthy()
    expect(server.callsOf('askForWayBack')).toEqual([])
    fireEvent.click(button('Back'))
    expect(code()).toBeTruthy()
  })

  test('says until when there is to be waited', async () => {
    server.answers('askForWayBack', 200, { until: '2026-11-29T14:05:00.000Z' })
    await lose()
    fireEvent.click(button('Turn it off in 7 days'))
    expect(await screen.findByText('The second step ends on 29/11/2026 23:05')).toBeTruthy()
    expect(server.callsOf('askForWayBack')[0]?.body).toEqual({ ticket: 'a-ticket' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('If you have lost your device'))
    // It is not asked for anew by going back.
    fireEvent.click(button('Back'))
    expect(screen.getByText(/Logging in now stops that/)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(code()))
    fireEvent.click(button('I have lost my device'))
    expect(screen.queryByRole('button', { name: /Turn it off/ })).toBeNull()
  })

  test('is not said anew where it was said before', async () => {
    await toSecondStep({ endsAt: '2026-11-29T14:05:00.000Z' })
    expect(screen.getByText(/Logging in now stops that/)).toBeTruthy()
    fireEvent.click(button('I have lost my device'))
    expect(await screen.findByText('The second step ends on 29/11/2026 23:05')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Turn it off/ })).toBeNull()
  })

  test('leads back to the log-in when the ticket is over', async () => {
    server.refuses('askForWayBack', 401, 'That took too long.', OVER)
    await lose()
    fireEvent.click(button('Turn it off in 7 days'))
    await screen.findByText('That took too long.')
    expect(button('Continue')).toBeTruthy()
  })
})

describe('the notice of a wait', () => {
  const waiting = {
    secondStepAt: '2026-11-01T10:00:00.000Z',
    secondStepEndsAt: '2026-11-29T14:05:00.000Z',
    totpAt: '2026-11-01T10:00:00.000Z',
    passkeys: [],
    recoveryCodes: 10,
  }

  test('stands on the profile, and stops it', async () => {
    server.answers('getSecurity', 200, waiting)
    server.answers('keepSecondStep', 200, {})
    await openShopAs(aProfile(), server, '/profile?tab=profile')
    await screen.findByText('Your second step ends on 29/11/2026 23:05')
    server.answers('getSecurity', 200, { ...waiting, secondStepEndsAt: null })
    fireEvent.click(button('Keep the second step'))
    await waitFor(() => expect(screen.queryByText(/Your second step ends on/)).toBeNull())
    expect(server.callsOf('keepSecondStep')).toHaveLength(1)
  })

  test('does not stand there otherwise', async () => {
    await openShopAs(aProfile(), server, '/profile?tab=profile')
    await screen.findByRole('heading', { name: 'Welcome, Ada' })
    await waitFor(() => expect(server.callsOf('getSecurity')).not.toEqual([]))
    expect(screen.queryByText(/Your second step ends on/)).toBeNull()
  })
})

describe('/second-step/:token', () => {
  test('stops the wait by a press, not by the visit', async () => {
    server.answers('stopWayBack', 200, {})
    await openShop('/second-step/a-token')
    await screen.findByRole('button', { name: 'Keep the second step' })
    expect(server.callsOf('stopWayBack')).toEqual([])
    fireEvent.click(button('Keep the second step'))
    await screen.findByText('The second step stays')
    expect(server.callsOf('stopWayBack')[0]?.body).toEqual({ token: 'a-token' })
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toBeTruthy()
  })

  test('says of a link that is over that it is', async () => {
    server.refuses('stopWayBack', 400, 'This link no longer works. The wait is over.')
    await openShop('/second-step/a-token')
    fireEvent.click(await screen.findByRole('button', { name: 'Keep the second step' }))
    const said = await screen.findByText(/The wait is over/)
    // What was to be stopped has been: that is no failure.
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(document.activeElement?.contains(said)).toBe(true))
    expect(document.activeElement).not.toBe(document.body)
  })

  test('can be pressed again after a lost connection', async () => {
    await openShop('/second-step/a-token')
    fireEvent.click(await screen.findByRole('button', { name: 'Keep the second step' }))
    await screen.findByText('The wait was not stopped')
    server.answers('stopWayBack', 200, {})
    fireEvent.click(button('Keep the second step'))
    await screen.findByText('The second step stays')
  })
})
