import type { Passkey } from '@hedgerow/contract/passkeys'
import type { Security } from '@hedgerow/contract/second-step'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PasskeysCard } from '#features/security/passkeys-card.tsx'
import { button, fill } from '#testing/open-shop.tsx'
import { aCreationQuestion, stubPasskeys } from '#testing/passkeys.ts'
import { stubServer } from '#testing/server.ts'

const aPasskey = (more: Partial<Passkey> = {}): Passkey => ({
  _id: '00000000-0000-4000-8000-0000000000e1',
  name: 'Chrome on Linux',
  isSynced: false,
  createdAt: '2026-11-20T14:05:00.000Z',
  lastUsedAt: null,
  ...more,
})
const aPhone = aPasskey({
  _id: '00000000-0000-4000-8000-0000000000e2',
  name: 'My phone',
  isSynced: true,
  lastUsedAt: '2026-11-21T09:30:00.000Z',
})

let server: ReturnType<typeof stubServer>
let browser: ReturnType<typeof stubPasskeys>
beforeEach(() => {
  server = stubServer()
  browser = stubPasskeys()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const guardedBy = (passkeys: Passkey[], more: Partial<Security> = {}) =>
  server.answers('getSecurity', 200, {
    secondStepAt: null,
    secondStepEndsAt: null,
    totpAt: null,
    recoveryCodes: 0,
    ...more,
    passkeys,
  })

const show = async () => {
  render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <PasskeysCard />
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
}
const rows = () =>
  screen
    .queryAllByRole('listitem')
    .map((row) => Array.from(row.querySelectorAll(':scope > div > p'), ({ textContent }) => textContent))
const dialog = () => within(screen.getByRole('dialog'))
const alertText = async () => (await screen.findByRole('alert')).textContent

describe('Passkeys', () => {
  test('says without any in one sentence what they are for', async () => {
    guardedBy([])
    await show()
    screen.getByText(/^A passkey logs you in with your fingerprint, your face or the PIN of your device/)
    expect(screen.queryByRole('list')).toBeNull()
    button('Add a passkey')
  })

  test('lists what each is called, where it is, and when it was added and used', async () => {
    guardedBy([aPasskey(), aPhone])
    await show()
    expect(rows()).toEqual([
      ['Chrome on Linux', 'On one device only Added 20/11/2026 Not used yet'],
      ['My phone', 'On your devices Added 20/11/2026 Last used 21/11/2026 18:30'],
    ])
  })

  test('tells when they did not load, and loads them again', async () => {
    server.refuses('getSecurity', 429, 'Too many attempts.')
    await show()
    expect(await alertText()).toContain('Too many attempts.')
    guardedBy([aPasskey()])
    fireEvent.click(button('Try again'))
    await screen.findByText('Chrome on Linux')
  })

  test('with ten there is none to add', async () => {
    guardedBy(Array.from({ length: 10 }, (_, n) => aPasskey({ _id: `id-${n}`, name: `Key ${n}` })))
    await show()
    expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull()
    screen.getByText(/^You have 10 passkeys/)
  })
})

describe('Add a passkey', () => {
  beforeEach(() => {
    guardedBy([])
    server.answers('beginPasskey', 200, aCreationQuestion())
  })

  test('sends what the device made, and lists it', async () => {
    await show()
    server.answers('addPasskey', 201, aPasskey())
    guardedBy([aPasskey()])
    button('Add a passkey').focus()
    fireEvent.click(button('Add a passkey'))
    await screen.findByText('Your passkey has been added')
    await screen.findByText('Chrome on Linux')
    expect(server.callsOf('addPasskey')[0]?.body).toMatchObject({
      ticket: 'a-ticket',
      name: '',
      credential: { id: 'ZGV2aWNl' },
    })
    expect(document.activeElement).toBe(button('Add another passkey'))
  })

  test.each([
    ['NotAllowedError', 'No passkey was added. You cancelled'],
    ['InvalidStateError', 'This device already has a passkey for your account.'],
  ])('tells of a %s, and adds nothing', async (name, words) => {
    browser.refuses('create', name)
    await show()
    fireEvent.click(button('Add a passkey'))
    expect(await alertText()).toContain(words)
    expect(server.callsOf('addPasskey')).toEqual([])
  })

  test('tells in the server’s words why it was not taken', async () => {
    server.refuses('addPasskey', 409, 'That took too long, or it was sent twice. Please try again.')
    await show()
    fireEvent.click(button('Add a passkey'))
    expect(await alertText()).toBe(
      'No passkey was addedThat took too long, or it was sent twice. Please try again.',
    )
  })

  test('can be taken back', async () => {
    browser.hangs('create')
    await show()
    fireEvent.click(button('Add a passkey'))
    await waitFor(() => expect(browser.create).toHaveBeenCalled())
    fireEvent.click(button('Cancel'))
    expect(document.activeElement).toBe(button('Add a passkey'))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('Rename', () => {
  const open = async () => {
    guardedBy([aPasskey()])
    await show()
    fireEvent.click(button('Rename Chrome on Linux'))
    await screen.findByRole('dialog')
  }

  test('saves the name, and shows it', async () => {
    await open()
    server.answers('renamePasskey', 200, aPasskey({ name: 'The blue key' }))
    guardedBy([aPasskey({ name: 'The blue key' })])
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Chrome on Linux')
    fill('Name', 'The blue key')
    await waitFor(() => expect(button('Save the name').disabled).toBe(false))
    fireEvent.click(button('Save the name'))
    await screen.findByText('Renamed to The blue key')
    await screen.findByRole('button', { name: 'Remove The blue key' })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.callsOf('renamePasskey')[0]?.body).toEqual({ name: 'The blue key' })
  })

  test('tells why it failed, and keeps what was typed', async () => {
    await open()
    server.refuses('renamePasskey', 404, 'We could not find this passkey.')
    fill('Name', 'The blue key')
    await waitFor(() => expect(button('Save the name').disabled).toBe(false))
    fireEvent.click(button('Save the name'))
    expect(await alertText()).toContain('We could not find this passkey.')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('The blue key')
  })
})

describe('Remove', () => {
  const open = async (passkeys: Passkey[], more: Partial<Security> = {}) => {
    guardedBy(passkeys, more)
    await show()
    fireEvent.click(button('Remove Chrome on Linux'))
    await screen.findByRole('dialog')
  }

  test('asks first, and keeps it when it is not meant', async () => {
    await open([aPasskey()])
    dialog().getByText(/It will no longer log you in/)
    fireEvent.click(button('Keep it'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.callsOf('removePasskey')).toEqual([])
  })

  test('takes it off the list, tells the browser, and keeps the focus in the card', async () => {
    await open([aPasskey(), aPhone])
    server.answers('removePasskey', 200, { credentialId: 'ZGV2aWNl' })
    guardedBy([aPhone])
    fireEvent.click(dialog().getByRole('button', { name: 'Remove' }))
    await screen.findByText('Your passkey has been removed')
    expect(rows()).toHaveLength(1)
    await waitFor(() =>
      expect(browser.signalUnknownCredential).toHaveBeenCalledWith({
        rpId: 'localhost',
        credentialId: 'ZGV2aWNl',
      }),
    )
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Passkeys' })),
    )
  })

  test('says when the second step ends with it', async () => {
    await open([aPasskey()], { secondStepAt: '2026-11-20T14:05:00.000Z', recoveryCodes: 10 })
    dialog().getByText('Your second step turns off too')
  })

  test.each<[string, Passkey[], Partial<Security>]>([
    [
      'there is an app',
      [aPasskey()],
      { secondStepAt: '2026-11-20T14:05:00.000Z', totpAt: '2026-11-20T14:05:00.000Z' },
    ],
    ['there is another passkey', [aPasskey(), aPhone], { secondStepAt: '2026-11-20T14:05:00.000Z' }],
    ['there is no second step', [aPasskey()], {}],
  ])('says nothing of that where %s', async (_, passkeys, more) => {
    await open(passkeys, more)
    expect(dialog().queryByText('Your second step turns off too')).toBeNull()
  })

  test('tells why it failed, and leaves it', async () => {
    await open([aPasskey()])
    server.refuses('removePasskey', 503, 'We cannot answer right now.')
    fireEvent.click(dialog().getByRole('button', { name: 'Remove' }))
    expect(await alertText()).toContain('We cannot answer right now.')
    expect(rows()).toHaveLength(1)
    expect(browser.signalUnknownCredential).not.toHaveBeenCalled()
  })
})
