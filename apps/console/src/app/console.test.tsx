import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '#testing/open-console.tsx'
import { stubServer } from '#testing/server.ts'
import { aSession } from '#testing/show.tsx'

const CODE = {
  promocode: 'WREN',
  partnerId: '00000000-0000-4000-8000-000000000001',
  percentage: 10,
  uses: 3,
  limit: null,
  closedAt: null,
}

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  // All of the menu fits.
  window.innerHeight = 900
  server = stubServer()
  server.answers('getOperatorSession', aSession())
  server.answers('listConsolePromocodes', { rows: [CODE], next: null })
})

/** Beside the page; on a phone the same stands behind a button. */
const menu = () => within(screen.getAllByRole('navigation', { name: 'Console' })[0] as HTMLElement)
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const field = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const lists = () => server.callsOf('listConsolePromocodes').length

const logIn = async () => {
  server.answers('logInOperator', { ticket: 'a-ticket-of-this-log-in' })
  server.answers('finishOperatorLogIn', aSession())
  field('Your name', 'Wren')
  field('Password', 'nine wrens in a holly bush')
  press('Continue')
  await screen.findByLabelText('Code of your authenticator app')
  field('Code of your authenticator app', '123456')
  server.answers('getOperatorSession', aSession())
  press('Log in')
}

describe('a session', () => {
  test('that is not there is begun by the log-in, which leads where one wanted to go', async () => {
    server.refuses('getOperatorSession', 401, 'Please log in.')
    openConsole('/promocodes?state=open')
    await heading('Log in')
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
    await logIn()
    await heading('Promocodes')
    expect(window.location.pathname + window.location.search).toBe('/promocodes?state=open')
    expect(server.callsOf('finishOperatorLogIn')[0]?.body).toEqual({
      ticket: 'a-ticket-of-this-log-in',
      code: '123456',
    })
  })

  test('that has ended says so, and goes on where it was', async () => {
    openConsole('/promocodes')
    await screen.findByRole('link', { name: 'WREN' })
    server.refuses('listConsolePromocodes', 401, 'Please log in.')
    fireEvent.click(screen.getByRole('button', { name: 'Uses' }))
    await screen.findByText(/Your session has ended\. Log in, and you are back where you were\./)
    server.answers('listConsolePromocodes', { rows: [CODE], next: null })
    await logIn()
    await screen.findByRole('link', { name: 'WREN' })
    expect(window.location.search).toBe('?sort=-uses')
  })

  test('that could not be read is asked for again', async () => {
    server.refuses('getOperatorSession', 429, 'Please wait a little.')
    openConsole('/promocodes')
    await screen.findByText('Please wait a little.')
    server.answers('getOperatorSession', aSession())
    press('Try again')
    await heading('Promocodes')
  })
})

describe('a wrong log-in', () => {
  beforeEach(async () => {
    server.refuses('getOperatorSession', 401, 'Please log in.')
    openConsole('/promocodes')
    await heading('Log in')
  })

  test('says why, and keeps the name', async () => {
    server.refuses('logInOperator', 401, 'The name or the password is wrong.')
    field('Your name', 'Wren')
    field('Password', 'another one entirely')
    press('Continue')
    expect((await screen.findByRole('alert')).textContent).toContain('The name or the password is wrong.')
    expect(screen.getByLabelText<HTMLInputElement>('Your name').value).toBe('Wren')
  })

  test.each([
    ['The code is wrong.', 'Code of your authenticator app'],
    ['This took too long. Please log in again.', 'Your name'],
  ])('by a code says why, and goes on at the right field: %s', async (detail, label) => {
    server.answers('logInOperator', { ticket: 'a-ticket-of-this-log-in' })
    server.refuses('finishOperatorLogIn', 401, detail)
    press('Continue')
    await screen.findByLabelText('Code of your authenticator app')
    press('Log in')
    expect((await screen.findByRole('alert')).textContent).toContain(detail)
    expect(screen.getByLabelText(label)).toBeTruthy()
  })
})

describe('a role', () => {
  test('is offered no page that it may not see, and opens none', async () => {
    server.answers('getOperatorSession', aSession('support'))
    openConsole('/operators')
    await heading('Not for your role')
    expect(server.callsOf('listOperators')).toEqual([])
    expect(menu().queryByRole('link', { name: 'Operators' })).toBeNull()
    expect(menu().getByRole('link', { name: 'Promocodes' })).toBeTruthy()
  })

  test('of an owner is offered all', async () => {
    openConsole('/promocodes')
    await heading('Promocodes')
    expect(menu().getByRole('link', { name: 'Operators' })).toBeTruthy()
    expect(menu().getByRole('link', { name: 'Promocodes' }).getAttribute('aria-current')).toBe('page')
    expect(document.title).toBe('Promocodes – Hedgerow console')
  })
})

test('an address that leads nowhere says so', async () => {
  openConsole('/no/such/page')
  await heading('There is nothing here')
})

describe('what happens in the shop', () => {
  const orders = () => server.callsOf('listConsoleOrders').length
  const open = async () => {
    server.answers('listConsoleOrders', { rows: [], next: null })
    const live = openConsole('/orders')
    await screen.findByText('No orders yet')
    return { live, before: orders() }
  }

  test('has a list read again that it concerns, and no other', async () => {
    const { live, before } = await open()
    await live.hear({ kind: 'node', id: 'york' })
    expect(orders()).toBe(before)
    await live.hear({ kind: 'payment', id: 'p1' })
    await waitFor(() => expect(orders()).toBe(before + 1))
  })

  test('and may have been missed, has it read again, too', async () => {
    const { live, before } = await open()
    await live.opens()
    await waitFor(() => expect(orders()).toBe(before + 1))
  })
})

describe('search', () => {
  const HIT = { group: 'Customer', label: 'A. L.', detail: 'since 2026', to: '/promocodes?state=open' }
  const words = () => screen.findByRole('combobox', { name: 'Search' })
  const options = () => screen.findAllByRole('option')
  const key = async (name: string) => fireEvent.keyDown(await words(), { key: name })

  test.each([
    ['/', {}],
    ['k', { ctrlKey: true }],
    ['k', { metaKey: true }],
  ])('opens with %s, at once: what is typed next goes there', async (name, more) => {
    openConsole('/promocodes')
    await heading('Promocodes')
    fireEvent.keyDown(document.body, { key: name, ...more })
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search' }))
    expect(screen.getByText(/Type two characters or more/)).toBeTruthy()
  })

  test('is no slash in a field', async () => {
    openConsole('/promocodes')
    await heading('Promocodes')
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Status' }), { key: '/' })
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  const open = async (typed: string) => {
    server.answers('getOperatorSession', aSession('support'))
    openConsole('/jobs')
    await heading('Not for your role')
    press('Search /')
    fireEvent.change(await words(), { target: { value: typed } })
  }

  test('finds what the server knows and pages of the console, and leads there by Enter', async () => {
    server.answers('search', [HIT])
    await open('promo')
    await waitFor(async () => expect(await options()).toHaveLength(2))
    expect((await options()).map(({ textContent }) => textContent)).toEqual([
      'CustomerA. L.since 2026',
      'PagesPromocodes',
    ])
    expect(server.callsOf('search').at(-1)?.query).toEqual({ words: 'promo' })
    await key('ArrowUp')
    expect((await options()).map((one) => one.getAttribute('aria-selected'))).toEqual(['false', 'true'])
    await key('ArrowDown')
    await key('Enter')
    await heading('Promocodes')
    expect(window.location.search).toBe('?state=open')
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test('offers no page that the role may not see', async () => {
    server.answers('search', [])
    await open('operators')
    await screen.findByText('Nothing was found.')
  })

  test('Enter that comes before the answer leads to what it brings', async () => {
    const answer = server.hangs('search')
    await open('ada@example.org')
    await key('Enter')
    server.answers('search', [HIT])
    answer()
    await heading('Promocodes')
  })

  test('says why nothing was searched', async () => {
    server.refuses('search', 429, 'Please wait a little.')
    await open('ada')
    await screen.findByText('Please wait a little.')
  })
})

test('after a navigation the heading has the focus', async () => {
  openConsole('/no/such/page')
  await heading('There is nothing here')
  fireEvent.click(menu().getByRole('link', { name: 'Promocodes' }))
  const title = await heading('Promocodes')
  await waitFor(() => expect(document.activeElement).toBe(title))
  expect(lists()).toBeGreaterThan(0)
})
