import policy from '@hedgerow/documents/legal/privacy-policy.md?raw'
import { MESSAGES } from '@hedgerow/domain/messages'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storeToken } from '#lib/access-token.ts'
import { aProfile } from '#testing/fixtures.ts'
import { openAccount, openProfile, PROFILE } from '#testing/open-profile.tsx'
import { address, button, closeShop, enter } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  localStorage.clear()
})
afterEach(() => {
  closeShop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const type = (label: string, value: string) => enter(screen.getByLabelText(label, { exact: true }), value)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const saves = () => server.callsOf('saveProfile').map(({ body }) => body)

describe('the tabs of the profile', () => {
  const selected = () => screen.getByRole('tab', { selected: true }).textContent

  test.each([
    ['/profile', 'Connections'],
    ['/profile?tab=connections', 'Connections'],
    ['/profile?tab=profile', 'Profile'],
    ['/profile?tab=nothing', 'Connections'],
  ])('%s opens %s', async (path, tab) => {
    await openAccount(server, path)
    expect(selected()).toBe(tab)
  })

  test('show the account of someone who has logged in since, in another tab of the browser', async () => {
    await openAccount(server)
    server.answers('getProfile', 200, aProfile({ _id: 'customer-2', name: 'Grace' }))
    act(() => storeToken('token-of-grace'))
    await screen.findByRole('heading', { name: 'Welcome, Grace' })
    expect(screen.queryByText(/Ada/)).toBeNull()
  })

  test('have an address each', async () => {
    await openAccount(server, '/profile')
    fireEvent.click(screen.getByRole('tab', { name: 'Profile' }))
    await screen.findByRole('heading', { name: 'Personal data' })
    expect(address()).toBe('/profile?tab=profile')
  })
})

describe('the profile tab', () => {
  test('has every field of the specification by the name that the API has for it', async () => {
    await openProfile(server)
    const fields = [...document.querySelectorAll<HTMLInputElement>('form[aria-labelledby] input')]
    expect(
      fields.map(({ name, autocomplete, value, labels }) => [
        name,
        labels?.[0]?.textContent,
        autocomplete,
        value,
      ]),
    ).toEqual([
      ['email', 'Email', 'email', 'ada@example.org'],
      ['name', 'Nickname', 'nickname', 'Ada'],
      ['firstName', 'Name', 'given-name', 'Augusta'],
      ['lastName', 'Last name', 'family-name', ''],
      ['phone', 'Phone', 'tel', ''],
      ['addressCountry', 'Country', 'country-name', ''],
      ['addressCity', 'City', 'address-level2', 'London'],
      ['addressZip', 'Postal code', 'postal-code', ''],
      ['addressString', 'Address', 'address-line1', ''],
    ])
    expect(fields.map(({ disabled }) => disabled)).toEqual([true, ...Array(8).fill(false)])
  })

  test('saves itself two seconds after the last change, and the header shows the new name at once', async () => {
    await openProfile(server)
    vi.useFakeTimers()
    server.answers('saveProfile', 200, { ...PROFILE, name: 'Countess', version: 2 })
    type('Nickname', 'Countess')
    await pass(1999)
    expect(saves()).toEqual([])
    await pass(1)
    expect(saves()).toEqual([{ name: 'Countess', version: 1 }])
    await pass(10)
    const saved = screen.getByText('Saved')
    expect(saved.closest('[role=status]')).not.toBeNull()
    // Beside the field that was changed, and no other.
    const field = screen.getByLabelText('Nickname').parentElement?.parentElement
    expect(field?.contains(saved)).toBe(true)
    expect(field?.querySelectorAll('input')).toHaveLength(1)
    screen.getByRole('button', { name: 'Countess' })
    screen.getByRole('heading', { name: 'Welcome, Countess' })
  })

  test('does not save what was there at the start, nor what is as before', async () => {
    await openProfile(server)
    vi.useFakeTimers()
    type('City', 'Londonderry')
    type('City', 'London')
    await pass(60_000)
    expect(saves()).toEqual([])
  })

  test('says that it saves', async () => {
    await openProfile(server)
    vi.useFakeTimers()
    server.hangs('saveProfile')
    type('City', 'Bath')
    await pass(2000)
    screen.getByText('Saving…')
  })

  test('says why it could not be saved, keeps what was typed, and tries again', async () => {
    await openProfile(server)
    vi.useFakeTimers()
    server.refuses('saveProfile', 503, 'We cannot answer right now.')
    type('City', 'Bath')
    await pass(2000)
    expect(screen.getByRole('alert').textContent).toContain('We cannot answer right now.')
    expect(screen.getByLabelText<HTMLInputElement>('City').value).toBe('Bath')
    server.answers('saveProfile', 200, { ...PROFILE, addressCity: 'Bath', version: 2 })
    fireEvent.click(button('Try again'))
    await pass(0)
    screen.getByText('Saved')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('ties an error to its field, and does not save that field', async () => {
    await openProfile(server)
    vi.useFakeTimers()
    type('Nickname', 'A')
    const field = screen.getByLabelText('Nickname')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toBe(MESSAGES.nameShort)
    await pass(10_000)
    expect(saves()).toEqual([])
  })

  test.each([
    ['the page is hidden for good', () => window.dispatchEvent(new Event('pagehide'))],
    [
      'another tab of the browser is shown',
      () => {
        vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
        document.dispatchEvent(new Event('visibilitychange'))
      },
    ],
    [
      'another tab of the profile is chosen',
      () => fireEvent.click(screen.getByRole('tab', { name: 'Connections' })),
    ],
  ])('sends what is pending when %s', async (_, leave) => {
    await openProfile(server)
    vi.useFakeTimers()
    server.answers('saveProfile', 200, { ...PROFILE, addressCity: 'Bath', version: 2 })
    type('City', 'Bath')
    act(() => void leave())
    await pass(0)
    expect(saves()).toEqual([{ addressCity: 'Bath', version: 1 }])
  })

  test('brings back what was typed when the tab was closed without a connection', async () => {
    const view = await openProfile(server)
    type('City', 'Bath')
    view.unmount()
    await openProfile(server)
    expect(screen.getByLabelText<HTMLInputElement>('City').value).toBe('Bath')
  })

  test('logging out saves first, and leaves no draft', async () => {
    await openProfile(server)
    server.answers('saveProfile', 200, { ...PROFILE, addressCity: 'Bath', version: 2 })
    server.answers('logout', 200, {})
    type('City', 'Bath')
    type('Nickname', 'A')
    fireEvent.click(screen.getByText('Log out'))
    await waitFor(() => expect(address()).toBe('/'))
    expect(saves()).toEqual([{ addressCity: 'Bath', version: 1 }])
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  test('keeps nothing in the browser that the privacy policy does not name', async () => {
    await openProfile(server)
    type('City', 'Bath')
    const keys = Object.keys(localStorage)
    expect(keys).toHaveLength(3)
    for (const key of keys) expect(policy).toContain(`**${key.split(':')[0]}`)
  })

  test('never saves what one customer typed in the account of the next one', async () => {
    await openProfile(server)
    type('City', 'Bath')
    const another = aProfile({ _id: 'customer-2', name: 'Grace', addressCity: 'Paris' })
    server.answers('getProfile', 200, another)
    server.answers('saveProfile', 200, { ...another, version: 2 })
    // They log in in another tab of the browser.
    act(() => storeToken('token-of-grace'))
    await screen.findByRole('heading', { name: 'Welcome, Grace' })
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('City').value).toBe('Paris'))
    expect(saves()).toEqual([])
  })
})
