import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readToken } from '#lib/access-token.ts'
import { aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, leavePage, openShop } from '#testing/open-shop.tsx'
import { aLoginQuestion, stubPasskeys } from '#testing/passkeys.ts'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
let browser: ReturnType<typeof stubPasskeys>
beforeEach(() => {
  server = stubServer()
  browser = stubPasskeys()
  server.answers('loginPasskeyOptions', 200, aLoginQuestion())
  server.answers('getProfile', 200, aProfile())
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const NAME = 'Log in with a passkey'
const open = (path = '/login') => openShop(path)
const press = () => fireEvent.click(button(NAME))
const alertText = async () => (await screen.findByRole('alert')).textContent

describe('Log in with a passkey', () => {
  test('stands below Continue, and takes nothing that is typed', async () => {
    await open()
    const order = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(order.indexOf(NAME)).toBe(order.indexOf('Continue') + 1)
    expect(button(NAME).type).toBe('button')
    expect(button(NAME).disabled).toBe(false)
  })

  test('leads to the profile, and remembers the token', async () => {
    server.answers('loginByPasskey', 200, { access_token: 'fresh', profile: aProfile() })
    await open()
    press()
    await screen.findByRole('heading', { name: 'Welcome, Ada' })
    expect([address(), readToken()]).toEqual(['/profile', 'fresh'])
    expect(server.callsOf('loginByPasskey')[0]?.body).toMatchObject({
      ticket: 'a-ticket',
      credential: { id: 'ZGV2aWNl' },
    })
  })

  test('leads on to where the visitor was going', async () => {
    server.answers('loginByPasskey', 200, { access_token: 'fresh', profile: aProfile() })
    await open('/login?redirectUrl=%2Fcalculator%3Fdays%3D7')
    press()
    await waitFor(() => expect(address()).toBe('/calculator?days=7'))
  })

  test('two presses ask once', async () => {
    browser.hangs('get')
    await open()
    press()
    press()
    await waitFor(() => expect(browser.get).toHaveBeenCalled())
    expect(server.callsOf('loginPasskeyOptions')).toHaveLength(1)
  })

  test('cancelled in the browser, says so, and leaves what was typed', async () => {
    browser.refuses('get', 'NotAllowedError')
    await open()
    fill('Email', 'ada@example.org')
    button(NAME).focus()
    press()
    expect(await alertText()).toMatch(/^You are not logged inNo passkey was used/)
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
    expect(document.activeElement).toBe(button(NAME))
    expect(server.callsOf('loginByPasskey')).toEqual([])
  })

  test('can be taken back while the browser keeps silent, and the password still does', async () => {
    browser.hangs('get')
    server.answers('login', 200, { access_token: 'fresh', profile: aProfile() })
    await open()
    press()
    await screen.findByText('Waiting for your passkey')
    await waitFor(() => expect(browser.get).toHaveBeenCalled())
    fireEvent.click(button('Cancel'))
    expect(screen.queryByText('Waiting for your passkey')).toBeNull()
    expect(document.activeElement).toBe(button(NAME))
    await waitFor(() => expect(browser.get.mock.calls[0]?.[0].signal?.aborted).toBe(true))
    expect(screen.queryByRole('alert')).toBeNull()
    fill('Email', 'ada@example.org')
    fill('Password', 'correct horse')
    await waitFor(() => expect(button('Continue').disabled).toBe(false))
    fireEvent.click(button('Continue'))
    await waitFor(() => expect(readToken()).toBe('fresh'))
  })

  test('taken back before the browser was asked, asks nothing', async () => {
    const release = server.hangs('loginPasskeyOptions')
    await open()
    press()
    await waitFor(() => expect(server.callsOf('loginPasskeyOptions')).toHaveLength(1))
    fireEvent.click(button('Cancel'))
    server.answers('loginPasskeyOptions', 200, aLoginQuestion())
    await release()
    expect(browser.get).not.toHaveBeenCalled()
    press()
    await waitFor(() => expect(browser.get).toHaveBeenCalledTimes(1))
  })

  test('asks the browser no more once the page is left', async () => {
    browser.hangs('get')
    await open()
    press()
    await waitFor(() => expect(browser.get).toHaveBeenCalled())
    leavePage()
    await waitFor(() => expect(browser.get.mock.calls[0]?.[0].signal?.aborted).toBe(true))
  })

  test('tells in the server’s words of a passkey that may have been copied', async () => {
    server.refuses('loginByPasskey', 403, 'This passkey was refused because it may have been copied.')
    await open()
    press()
    expect(await alertText()).toContain('it may have been copied')
    expect(browser.signalUnknownCredential).not.toHaveBeenCalled()
  })

  test('tells the browser of a passkey that was removed', async () => {
    server.refuses('loginByPasskey', 401, 'This passkey no longer opens an account.', {
      code: 'unknown-passkey',
    })
    await open()
    press()
    expect(await alertText()).toContain('no longer opens an account')
    await waitFor(() =>
      expect(browser.signalUnknownCredential).toHaveBeenCalledWith({
        rpId: 'localhost',
        credentialId: 'ZGV2aWNl',
      }),
    )
  })

  test('tells of a lost connection', async () => {
    server.breaks('loginPasskeyOptions')
    await open()
    press()
    expect(await alertText()).toContain('We could not reach the server.')
  })

  test('takes the message away when it is pressed again', async () => {
    browser.refuses('get', 'NotAllowedError')
    await open()
    press()
    await screen.findByRole('alert')
    browser.hangs('get')
    press()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('tells of a browser that has none', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    await open()
    press()
    expect(await alertText()).toContain('This browser cannot use passkeys')
  })
})
