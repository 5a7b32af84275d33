import policy from '@hedgerow/documents/legal/privacy-policy.md?raw'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { brand } from '#shared/brand.ts'
import { aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, leavePage, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

const RECEIVED = { _id: 'one', receivedAt: '2026-11-22T14:05:00Z' }
const NAME = 'Your name'
const CONTRACT = 'Which contract'
const MESSAGE = /^Anything else/
const WITHDRAW = 'Withdraw from contract here'
const CONFIRM = 'Confirm withdrawal'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const main = () => within(screen.getByRole('main'))
const sent = () => server.callsOf('declareCancellation').map(({ body }) => body)
const typedIn = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value

const fillIn = () => {
  fill(NAME, 'Ada Lovelace')
  fill(CONTRACT, '2026-000123')
  fill('Email', 'ada@example.org')
}
/** To the second step. */
const withdraw = async () => {
  await waitFor(() => expect(button(WITHDRAW).disabled).toBe(false))
  fireEvent.click(button(WITHDRAW))
  await screen.findByRole('heading', { name: 'Your statement' })
}
const confirm = () => fireEvent.click(button(CONFIRM))

describe('/cancel', () => {
  test('leads a visitor to the log-in and on to the payments, and a customer straight there', async () => {
    await openShop('/cancel')
    expect(main().getByRole('link', { name: 'Log in and cancel' }).getAttribute('href')).toBe(
      '/profile?tab=history',
    )
    closeShop()
    await openShopAs(aProfile(), server, '/cancel')
    await main().findByRole('heading', { name: 'For a purchase on another account' })
    expect((await main().findByRole('link', { name: 'Go to your payments' })).getAttribute('href')).toBe(
      '/profile?tab=history',
    )
  })

  test.each(['/', '/login', '/terms'])('is linked on %s', async (path) => {
    await openShop(path)
    const footer = within(screen.getByRole('contentinfo'))
    expect(
      footer.getByRole('link', { name: 'Cancel or withdraw from a contract' }).getAttribute('href'),
    ).toBe('/cancel')
    if (path !== '/')
      expect(main().getAllByRole('link', { name: 'Cancel or withdraw from a contract' })).toHaveLength(1)
  })

  test('is not what someone reads who signs up', async () => {
    await openShop('/signup')
    expect(main().queryByText(/Want to cancel/)).toBeNull()
  })

  test('shows the statement to be confirmed, and sends nothing before', async () => {
    await openShop('/cancel')
    expect(button(WITHDRAW).disabled).toBe(true)
    fillIn()
    fill(MESSAGE, 'I moved.')
    await withdraw()
    const heading = screen.getByRole('heading', { name: 'Your statement' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    for (const words of [
      `To ${brand.company.legalName}: I withdraw from this contract; I cancel it.`,
      'Ada Lovelace',
      '2026-000123',
      'ada@example.org',
      'I moved.',
    ])
      expect(screen.getByRole('main').textContent).toContain(words)
    expect(screen.queryByRole('link', { name: 'Log in and cancel' })).toBeNull()
    expect(sent()).toEqual([])
  })

  test('is sent once it is confirmed, and says when it was received and what comes next', async () => {
    server.answers('declareCancellation', 201, RECEIVED)
    await openShop('/cancel')
    fillIn()
    await withdraw()
    confirm()
    const notice = await screen.findByText('Received on 22/11/2026 23:05')
    await waitFor(() => expect(document.activeElement).toBe(notice.closest('[tabindex]')))
    expect(notice.closest('[role=status]')?.textContent).toContain('on its way to ada@example.org')
    expect(sent()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Ada Lovelace',
        contract: '2026-000123',
        email: 'ada@example.org',
        message: '',
      },
    ])
    expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull()
    expect(sessionStorage).toHaveLength(0)
  })

  test('can be changed before it is confirmed, and nothing is lost by that', async () => {
    server.answers('declareCancellation', 201, RECEIVED)
    await openShop('/cancel')
    fillIn()
    fill(MESSAGE, 'I moved.')
    await withdraw()
    fireEvent.click(button('Change it'))
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Without logging in' })),
    )
    expect(typedIn(NAME)).toBe('Ada Lovelace')
    expect(typedIn(MESSAGE)).toBe('I moved.')
    screen.getByText('8 of 5,000 characters')
    fill(CONTRACT, '2026-000124')
    await withdraw()
    confirm()
    await screen.findByText(/^Received on/)
    expect(sent()).toEqual([expect.objectContaining({ contract: '2026-000124', name: 'Ada Lovelace' })])
  })

  test.each([
    [NAME, '', OUR_MESSAGES.conversationNameRequired],
    [CONTRACT, '', OUR_MESSAGES.contractRequired],
    ['Email', '', OUR_MESSAGES.cancellationEmailRequired],
    ['Email', 'ada', MESSAGES.emailInvalid],
    [MESSAGE, 'a'.repeat(5001), OUR_MESSAGES.conversationTextLong],
  ])('%s with "%.12s" shows: %s', async (label, value, message) => {
    await openShop('/cancel')
    fillIn()
    fill(label, value)
    const error = await screen.findByText(message)
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(error.parentElement?.id)
    expect(button(WITHDRAW).disabled).toBe(true)
  })

  test('asks for no reason', async () => {
    await openShop('/cancel')
    fillIn()
    await waitFor(() => expect(button(WITHDRAW).disabled).toBe(false))
  })

  test('keeps what was typed over a reload, in this tab alone, as the privacy policy says', async () => {
    await openShop('/cancel')
    fillIn()
    fill(MESSAGE, 'I moved.')
    leavePage()
    await openShop('/cancel')
    await waitFor(() => expect(typedIn(NAME)).toBe('Ada Lovelace'))
    expect([CONTRACT, 'Email', MESSAGE].map(typedIn)).toEqual(['2026-000123', 'ada@example.org', 'I moved.'])
    screen.getByText('8 of 5,000 characters')
    await withdraw()
    expect(Object.keys(sessionStorage)).toEqual(['draft:cancellation'])
    expect(policy).toContain('**draft:cancellation**')
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  test('forgets it when a customer logs out', async () => {
    server.answers('logout', 200, {})
    await openShopAs(aProfile(), server, '/cancel')
    fillIn()
    expect(sessionStorage).toHaveLength(1)
    fireEvent.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })

  test('is the same statement when it is sent again after an answer that was lost', async () => {
    await openShop('/cancel')
    fillIn()
    await withdraw()
    confirm()
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('We could not reach the server.')
    expect(notice.textContent).toContain('sending it twice does no harm')
    server.answers('declareCancellation', 201, RECEIVED)
    confirm()
    await screen.findByText(/^Received on/)
    const [first, second] = sent() as { id: string }[]
    expect(second).toEqual(first)
  })

  test('says at its field what the server refuses', async () => {
    server.refuses('declareCancellation', 422, 'Check the fields', {
      errors: [{ path: 'email', message: 'No mail reaches this address' }],
    })
    await openShop('/cancel')
    fillIn()
    await withdraw()
    confirm()
    await screen.findByText('No mail reaches this address')
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
    expect(typedIn(NAME)).toBe('Ada Lovelace')
    expect(address()).toBe('/cancel')
  })

  test('says how long to wait where too many were sent', async () => {
    server.refuses('declareCancellation', 429, 'Please wait ten minutes and try again.')
    await openShop('/cancel')
    fillIn()
    await withdraw()
    confirm()
    expect((await screen.findByRole('alert')).textContent).toContain('Please wait ten minutes and try again.')
    expect(screen.getByRole('main').textContent).toContain('2026-000123')
  })

  test('names the other ways to cancel', async () => {
    await openShop('/cancel')
    const mail = main().getByRole('link', { name: brand.company.email })
    expect(mail.getAttribute('href')).toBe(`mailto:${brand.company.email}`)
    expect(screen.getByRole('main').textContent).toContain(brand.company.phone)
  })
})
