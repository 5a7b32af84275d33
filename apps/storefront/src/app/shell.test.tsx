import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aProfile } from '#testing/fixtures.ts'
import { address, closeShop, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const header = () => within(screen.getAllByRole('banner')[0] as HTMLElement)
const linksOf = (name: string) =>
  header()
    .getAllByRole('navigation', { name, hidden: true })
    .map((nav) =>
      within(nav)
        .getAllByRole('link', { hidden: true })
        .map((link) => [link.textContent, link.getAttribute('href')]),
    )

/** Spec §2, Shell. */
const EVERYWHERE = [
  ['Home', '/'],
  ['Products', '/products'],
  ['Referral programme', '/partnership/referral'],
  ['Promocodes', '/partnership/promocode'],
  ['White label', '/partnership/resell'],
  ['Manual', '/clients'],
  ['Support', '/support'],
]

describe('the header', () => {
  test('leads to every part of the shop, in a row and in the menu of a phone', async () => {
    await openShop('/terms')
    expect(linksOf('Main')).toEqual([EVERYWHERE, EVERYWHERE])
    expect(linksOf('Partnership')).toEqual([EVERYWHERE.slice(2, 5)])
    expect(header().getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login')
  })

  test('offers euro first, and pounds, which the calculator follows', async () => {
    await openShop('/calculator')
    const currency = header().getByRole<HTMLSelectElement>('combobox', { name: 'Currency' })
    const options = within(currency).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['€ EUR', '£ GBP'])
    expect(currency.value).toBe('EUR')
    fireEvent.change(currency, { target: { value: 'GBP' } })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /GBP/ }).checked).toBe(true)
    fireEvent.click(screen.getByRole('radio', { name: /EUR/ }))
    expect(currency.value).toBe('EUR')
  })

  test('shows a customer their name, over the way to the profile and out', async () => {
    server.answers('logout', 200, {})
    await openShopAs(aProfile(), server, '/terms')
    await header().findByRole('button', { name: 'Ada' })
    expect(linksOf('Account')).toEqual([
      [
        ['Profile', '/profile'],
        ['Security', '/profile/security'],
        ['Support', '/support'],
      ],
    ])
    expect(header().queryByRole('link', { name: 'Login' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Log out', hidden: true }))
    await header().findByRole('link', { name: 'Login' })
    expect(address()).toBe('/')
    expect(localStorage.getItem('access_token')).toBeNull()
  })
})

test('the home page says what one gets and how to connect, in three steps and on each platform', async () => {
  await openShop('/')
  const main = within(screen.getByRole('main'))
  for (const name of [
    'Fast speed',
    'Online security',
    'Easy access',
    'Install a client',
    'Turn it on, and browse',
  ])
    expect(main.getByRole('heading', { name })).toBeTruthy()
  expect(main.getByText(/Scan its QR code in your profile, or import the file/)).toBeTruthy()
  for (const name of ['Windows', 'macOS', 'Linux', 'iPhone and iPad', 'Android', 'OpenWrt'])
    expect(main.getByRole('link', { name }).getAttribute('href')).toMatch(/^\/manual\//)
  expect(main.getByRole('link', { name: 'Get Vpn' }).getAttribute('href')).toBe('/products')
})

test.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 7)', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
])('the manual begins with the device in hand: %s', async (userAgent, name) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  await openShop('/clients')
  const link = await screen.findByRole('link', { name: `Step by step, for this device: ${name}` })
  expect(link.getAttribute('href')).toBe(`/manual/${name.toLowerCase()}`)
  fireEvent.click(screen.getByRole('link', { name: `Step by step, for this device: ${name}` }))
  await screen.findByRole('heading', { level: 1, name: `WireGuard on ${name}` })
  vi.restoreAllMocks()
})

describe('what is for customers', () => {
  test.each([
    '/profile?tab=history',
    '/submit',
    '/support',
    '/payment/checkout/00000000-0000-4000-8000-000000000000',
    '/checkout/00000000-0000-4000-8000-000000000000',
  ])(
    'sends a visitor to log in, with the address that was wanted, and asks for no profile: %s',
    async (path) => {
      await openShop(path)
      await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`))
      expect(server.callsOf('getProfile')).toEqual([])
    },
  )

  test('is not opened by what lies in the place of the token and is none', async () => {
    localStorage.setItem('access_token', '\u2603\n{"token"')
    await openShop('/profile')
    await waitFor(() => expect(address()).toBe('/login?redirectUrl=%2Fprofile'))
    expect(server.callsOf('getProfile')).toEqual([])
  })

  test('is not opened by a token that the server does not know, which is cleared', async () => {
    server.refuses('getProfile', 401)
    localStorage.setItem('access_token', 'a-token-that-was-never-given-out')
    await openShop('/profile')
    await waitFor(() => expect(address()).toBe('/login?redirectUrl=%2Fprofile'))
    expect(localStorage.getItem('access_token')).toBeNull()
  })

  test('is open to a customer in a browser that stores nothing', async () => {
    vi.stubGlobal('localStorage', {
      get getItem() {
        throw new DOMException('insecure', 'SecurityError')
      },
    })
    await openShopAs(aProfile(), server, '/profile')
    await screen.findByRole('heading', { name: 'Welcome, Ada' })
    expect(server.callsOf('getProfile')[0]?.authorization).toBe('Bearer a-token')
  })
})
