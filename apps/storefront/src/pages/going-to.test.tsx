import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storeToken } from '#lib/access-token.ts'
import { anItem, anOrder, aProfile, LAYER } from '#testing/fixtures.ts'
import {
  address,
  button,
  closeShop,
  fill,
  leavePage,
  openLink,
  openShop,
  openShopAs,
  tick,
} from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const CHOICE = '/calculator?days=45&connections=3&features=feature2&currency=GBP'
const ORDERING = `${CHOICE}&order=1`
const CHECKOUT = `/checkout/${anOrder().orderId}`
const to = (path: string, wanted: string) => `${path}?redirectUrl=${encodeURIComponent(wanted)}`

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
  server.answers('login', 200, { access_token: 'fresh', profile: aProfile() })
  server.answers('getProfile', 200, aProfile())
  server.answers('signup', 201, { email: 'ada@example.org', signupSecret: 'of-this-browser' })
  server.answers('createOrder', 201, { orderId: anOrder().orderId, price: 45.03, discount: 0, total: 45.03 })
  server.answers('getOrder', 200, anOrder())
  server.answers('listLayers', 200, [LAYER])
  server.answers('listItems', 200, [anItem()])
})
afterEach(() => {
  closeShop()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const send = async () => {
  await waitFor(() => expect(button('Continue').disabled).toBe(false))
  fireEvent.click(button('Continue'))
}
const logIn = async () => {
  fill('Email', 'ada@example.org')
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
const hrefOf = (name: string) => {
  const { pathname, search } = within(screen.getByRole('main')).getByRole<HTMLAnchorElement>('link', { name })
  return pathname + search
}
const orders = () => server.callsOf('createOrder')
const theOrder = () => screen.getByRole('region', { name: 'Your order' }).textContent

describe('the doors of the calculator', () => {
  test('a newcomer is offered to sign up, and who was here before to log in, with the same order', async () => {
    await openShop(CHOICE)
    const [signup, login] = [to('/signup', ORDERING), to('/login', ORDERING)].map((path) => {
      const { pathname, searchParams } = new URL(path, window.location.origin)
      return [pathname, new URL(searchParams.get('redirectUrl') ?? '', window.location.origin).search]
    })
    const doors = () =>
      screen
        .getAllByRole<HTMLAnchorElement>('link', { name: /to buy$/ })
        .map(({ textContent, pathname, search }) => {
          const wanted = new URLSearchParams(search).get('redirectUrl') ?? ''
          return [textContent, [pathname, new URL(wanted, window.location.origin).search]]
        })
    await waitFor(() =>
      expect(doors()).toEqual([
        ['Sign up to buy', signup],
        ['Log in to buy', login],
      ]),
    )
    leavePage()
    localStorage.setItem('known_browser', '1')
    await openShop(CHOICE)
    await waitFor(() =>
      expect(doors()).toEqual([
        ['Log in to buy', login],
        ['Sign up to buy', signup],
      ]),
    )
  })

  test('a browser is known once someone has logged in or signed up there', async () => {
    await openShop('/signup')
    await signUp()
    await screen.findByRole('heading', { name: 'Check your email' })
    expect(localStorage.getItem('known_browser')).toBe('1')
  })
})

describe('the order beside the form', () => {
  test('is what the calculator showed, and can be changed', async () => {
    await openShop(to('/signup', ORDERING))
    expect(theOrder()).toContain('Your order: 45 days, 3 connections, Advertisement filter£45.03')
    fireEvent.click(screen.getByRole('tab', { name: 'Sign In' }))
    expect(theOrder()).toContain('£45.03')
    const back = new URL(hrefOf('Change your order'), window.location.origin)
    expect(back.pathname).toBe('/calculator')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      days: '45',
      connections: '3',
      features: 'feature2',
      currency: 'GBP',
    })
  })

  test('is a plan, by its name, its period and its price in pounds', async () => {
    await openShop(to('/login', `/payment/checkout/${anItem()._id}`))
    await waitFor(() => expect(theOrder()).toContain('31 days, 3 connections£24.00'))
    expect(theOrder()).toContain(`Your order: ${anItem().name}`)
    expect(hrefOf('Change your order')).toBe('/products')
  })

  test('is none where nothing is bought', async () => {
    await openShop(to('/login', '/support'))
    expect(screen.queryByRole('region', { name: 'Your order' })).toBeNull()
  })
})

describe('a log-in that was asked for in the calculator', () => {
  test('orders the choice once, and goes on to its checkout', async () => {
    await openShop(to('/login', ORDERING))
    await logIn()
    await waitFor(() => expect(address()).toBe(CHECKOUT))
    expect(orders().map(({ body }) => body)).toEqual([
      {
        days: 45,
        connections: 3,
        features: { feature1: false, feature2: true, feature3: false, feature4: false },
        currency: 'GBP',
        total: 45.03,
      },
    ])
  })

  test('and whoever goes back finds the choice, not another order', async () => {
    await openShop(to('/login', ORDERING))
    await logIn()
    await waitFor(() => expect(address()).toBe(CHECKOUT))
    window.history.back()
    await screen.findByRole('button', { name: 'Buy' })
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toMatchObject({ days: '45' })
    expect(screen.getByText('£45.03')).toBeTruthy()
    await new Promise((over) => setTimeout(over, 50))
    expect(orders()).toHaveLength(1)
  })

  test.each([ORDERING, to('/login', ORDERING)])('an address alone orders nothing: %s', async (path) => {
    await openShopAs(aProfile(), server, path)
    await screen.findByRole('button', { name: 'Buy' })
    await new Promise((over) => setTimeout(over, 50))
    expect(orders()).toHaveLength(0)
    expect(screen.getByText('£45.03')).toBeTruthy()
  })

  test('a reload of where it led orders nothing', async () => {
    server.hangs('createOrder')
    await openShop(to('/login', ORDERING))
    await logIn()
    await waitFor(() => expect(orders()).toHaveLength(1))
    const reached = window.location.pathname + window.location.search
    leavePage()
    await openShopAs(aProfile(), server, reached)
    await screen.findByRole('button', { name: 'Buy' })
    expect(orders()).toHaveLength(1)
  })

  test('a refused order says so, and can be made by hand', async () => {
    server.refuses('createOrder', 422, 'The price has changed.')
    await openShop(to('/login', ORDERING))
    await logIn()
    await screen.findByText('The price has changed.')
    expect(orders()).toHaveLength(1)
    fireEvent.click(button('Buy'))
    await waitFor(() => expect(orders()).toHaveLength(2))
  })

  test('without the wish to order, the choice is there and nothing is ordered', async () => {
    await openShop(to('/login', CHOICE))
    await logIn()
    await screen.findByRole('button', { name: 'Buy' })
    expect(orders()).toHaveLength(0)
  })
})

describe('an account that is opened on the way', () => {
  test('is told where its owner goes, and keeps it on every page of the way', async () => {
    await openShop(to('/login', ORDERING))
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    await signUp()
    await waitFor(() => expect(address()).toBe('/confirm?email=ada%40example.org'))
    expect(server.callsOf('signup')[0]?.body).toMatchObject({ redirectUrl: ORDERING })
    const login = new URLSearchParams(hrefOf('Login').split('?')[1])
    expect([login.get('redirectUrl'), login.get('email')]).toEqual([ORDERING, 'ada@example.org'])
    expect(new URLSearchParams(hrefOf('repeat the registration').split('?')[1]).get('redirectUrl')).toBe(
      ORDERING,
    )
  })

  test.each(['the browser that signed up', 'another browser'])(
    'goes on to its checkout in %s',
    async (where) => {
      const isSame = where.includes('signed up')
      if (isSame) localStorage.setItem('signup_secret', 'of-this-browser')
      server.answers('confirmAccount', 200, {
        access_token: 'fresh',
        profile: aProfile(),
        redirectUrl: ORDERING,
      })
      await openShop('/confirm/abc')
      if (!isSame) {
        await screen.findByLabelText('Password')
        fill('Password', 'correct horse')
        await send()
      }
      await waitFor(() => expect(address()).toBe(CHECKOUT))
      expect(orders()).toHaveLength(1)
      await screen.findByText('Your email is confirmed')
    },
  )

  test('is named in another browser, where its password is typed', async () => {
    server.answers('lookAtLink', 200, { email: 'ada@example.org' })
    await openLink('/confirm/abc')
    const email = await screen.findByLabelText<HTMLInputElement>('Email')
    await waitFor(() => expect(email.value).toBe('ada@example.org'))
    expect([email.readOnly, email.autocomplete]).toEqual([true, 'username'])
  })

  test('is not led to another site by whatever the answer says', async () => {
    server.answers('confirmAccount', 200, {
      access_token: 'fresh',
      profile: aProfile(),
      redirectUrl: '//evil.example',
    })
    await openLink('/confirm/abc')
    fill('Password', 'correct horse')
    await send()
    await waitFor(() => expect(address()).toBe('/result?email=ada%40example.org'))
  })

  test('a second tab that comes too late waits for the log-in of the first', async () => {
    localStorage.setItem('signup_secret', 'of-this-browser')
    server.refuses('confirmAccount', 400)
    await openShop('/confirm/abc')
    await waitFor(() => expect(server.callsOf('confirmAccount')).toHaveLength(1))
    storeToken('of-the-first-tab')
    await waitFor(() => expect(address()).toMatch(/^\/result/))
    await screen.findByText(/You are logged in/)
  })

  test('that is there already leads to the log-in, with the address and the order', async () => {
    server.refuses('signup', 406, 'This email is already registered.')
    await openShop(to('/signup', ORDERING))
    await signUp()
    expect((await screen.findByRole('alert')).textContent).toBe('This email is already registered.')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('')
    fireEvent.click(screen.getByRole('link', { name: 'Log in as ada@example.org' }))
    await waitFor(() => expect(address()).toMatch(/^\/login\?/))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
    expect(theOrder()).toContain('£45.03')
  })

  test('that waits to be confirmed offers the link again, and says to which address', async () => {
    server.refuses('login', 401, 'Please confirm your email first.', { code: 'not-confirmed' })
    server.answers('resendConfirmation', 200, {})
    await openShop('/login')
    await logIn()
    expect((await screen.findByRole('alert')).textContent).toBe('Please confirm your email first.')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('')
    expect(screen.getByText('ada@example.org')).toBeTruthy()
    fireEvent.click(button('Send it again'))
    await screen.findByText(/a new link is on its way/)
    expect(server.callsOf('resendConfirmation')[0]?.body).toEqual({ username: 'ada@example.org' })
    server.refuses('login', 401, 'The email or the password is wrong.')
    await logIn()
    await screen.findByText('The email or the password is wrong.')
    expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull()
  })
})

test('a forgotten password is replaced on the way, and the order comes along', async () => {
  server.answers('forgotPassword', 200, {})
  await openShop(to('/login', ORDERING))
  fireEvent.click(screen.getByRole('link', { name: 'Forgot password?' }))
  await screen.findByRole('heading', { name: 'Reset your password' })
  fill('Email', 'ada@example.org')
  await send()
  await screen.findByText('Check your inbox')
  expect(theOrder()).toContain('£45.03')
  expect(server.callsOf('forgotPassword')[0]?.body).toEqual({
    username: 'ada@example.org',
    redirectUrl: ORDERING,
  })
  leavePage()
  // As the mail's link finds it in another browser.
  localStorage.clear()
  server.answers('resetPassword', 200, { email: 'ada@example.org', redirectUrl: ORDERING })
  await openLink('/reset/abc')
  fill('New password', 'correct horse')
  fill('Repeat password', 'correct horse')
  await send()
  await waitFor(() => expect(address()).toBe('/reset-success'))
  fireEvent.click(screen.getByRole('link', { name: 'Continue' }))
  await waitFor(() => expect(theOrder()).toContain('£45.03'))
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org')
  fill('Password', 'correct horse')
  await send()
  await waitFor(() => expect(address()).toBe(CHECKOUT))
  expect(orders()).toHaveLength(1)
})

test.each([to('/signup', ORDERING), CHECKOUT])(
  'the terms that are linked on %s lead back to the order',
  async (path) => {
    await (path === CHECKOUT ? openShopAs(aProfile(), server, path) : openShop(path))
    const terms = await screen.findByRole<HTMLAnchorElement>('link', {
      name: /^terms of service and the privacy/,
    })
    leavePage()
    await openShop(terms.pathname + terms.search)
    expect(hrefOf('Continue')).toBe(
      to('/signup', path === CHECKOUT ? CHECKOUT : ORDERING).replaceAll('%20', '+'),
    )
  },
)

describe('a session that the server has ended', () => {
  test('is told, and leads back to the very place', async () => {
    server.refuses('getProfile', 401)
    storeToken('an-old-token')
    await openShop('/profile?tab=history')
    await screen.findByText('Your session has ended')
    expect(address()).toBe(to('/login', '/profile?tab=history'))
    server.answers('getProfile', 200, aProfile())
    await logIn()
    await waitFor(() => expect(address()).toBe('/profile?tab=history'))
  })

  test('is not told to who was never logged in', async () => {
    await openShop('/profile')
    await waitFor(() => expect(address()).toBe(to('/login', '/profile')))
    expect(screen.queryByText('Your session has ended')).toBeNull()
  })
})

describe('the currency', () => {
  const selector = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Currency' })

  test('starts at euro, and is remembered', async () => {
    await openShop('/calculator')
    expect(selector().value).toBe('EUR')
    fireEvent.change(selector(), { target: { value: 'GBP' } })
    leavePage()
    await openShop('/calculator')
    expect(selector().value).toBe('GBP')
    expect(screen.getAllByText('£30.00').length).toBeGreaterThan(0)
  })

  test('is that of the order at its checkout, and the chosen one again after', async () => {
    await openShopAs(aProfile(), server, CHECKOUT)
    await waitFor(() => expect([selector().value, selector().disabled]).toEqual(['GBP', true]))
    expect(selector().title).toBe('You pay in pounds here')
    fireEvent.click(screen.getAllByRole('link', { name: /Home/ })[0] as HTMLElement)
    await waitFor(() => expect([selector().value, selector().disabled]).toEqual(['EUR', false]))
  })

  test('of a plan is said where another one is chosen', async () => {
    await openShop('/products')
    expect(screen.getByText(/VAT included. In pounds, even when € is chosen\./)).toBeTruthy()
    fireEvent.change(selector(), { target: { value: 'GBP' } })
    expect(screen.getByText(/VAT included. In pounds\./)).toBeTruthy()
  })
})
