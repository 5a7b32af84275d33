import type { LinkedConversation } from '@hedgerow/contract/conversations'
import policy from '@hedgerow/documents/legal/privacy-policy.md?raw'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConversation, aProfile } from '#testing/fixtures.ts'
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

const main = () => within(screen.getByRole('main'))
const QUESTION = 'Your question'
const TEXT = 'Does it work on a router?'
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

const fillIn = () => {
  fill('Name', 'Ada')
  fill('Email', 'ada@example.org')
  fill(QUESTION, TEXT)
}
const send = async () => {
  await waitFor(() => expect(button('Send').disabled).toBe(false))
  fireEvent.click(button('Send'))
}

describe('/contact', () => {
  const sent = () => server.callsOf('askQuestion').map(({ body }) => body as { id: string })

  test('takes a question without an account, and says what comes next', async () => {
    server.answers('askQuestion', 201, { _id: 'one' })
    await openShop('/contact')
    expect(button('Send').disabled).toBe(true)
    fillIn()
    await send()
    await screen.findByText('We have your question')
    expect(screen.getByRole('main').textContent).toContain('reply to ada@example.org')
    expect(sent()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Ada',
        email: 'ada@example.org',
        question: TEXT,
      },
    ])
    expect(sessionStorage).toHaveLength(0)
  })

  test('says that the mailed link is to be opened first, where too many questions wait', async () => {
    server.answers('askQuestion', 201, { _id: 'one', isHeld: true })
    await openShop('/contact')
    fillIn()
    await send()
    await screen.findByText('Open the link in our email')
    expect(screen.getByRole('main').textContent).toContain('sent to ada@example.org')
    expect(screen.queryByText('We have your question')).toBeNull()
  })

  test('leads a customer to support', async () => {
    await openShopAs(aProfile(), server, '/contact')
    await waitFor(() => expect(address()).toBe('/support'))
  })

  test.each([
    ['Name', '', 'Enter your name'],
    ['Email', '', 'Enter an email we can reply to'],
    ['Email', 'ada', 'Enter correct email address'],
    [QUESTION, 'short', 'Write 10 characters or more'],
    [QUESTION, 'a'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
  ])('%s with "%.12s" shows: %s', async (label, value, message) => {
    await openShop('/contact')
    fillIn()
    fill(label, value)
    const error = await screen.findByText(message)
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(error.parentElement?.id)
    expect(button('Send').disabled).toBe(true)
  })

  test('is the same question when it is sent again after an answer that was lost', async () => {
    await openShop('/contact')
    fillIn()
    await send()
    expect((await screen.findByRole('alert')).textContent).toContain('What you wrote is still here')
    expect(typedIn(QUESTION)).toBe(TEXT)
    server.answers('askQuestion', 201, { _id: 'one' })
    await send()
    await screen.findByText('We have your question')
    const [first, second] = sent()
    expect(second).toEqual(first)
  })

  test('says what the server says where too many wait', async () => {
    server.refuses('askQuestion', 503, 'Please email us instead.')
    await openShop('/contact')
    fillIn()
    await send()
    expect((await screen.findByRole('alert')).textContent).toContain('Please email us instead.')
  })

  test('keeps what was typed over a reload, in this tab alone, as the privacy policy says', async () => {
    await openShop('/contact')
    fillIn()
    leavePage()
    await openShop('/contact')
    await waitFor(() =>
      expect(['Name', 'Email', QUESTION].map(typedIn)).toEqual(['Ada', 'ada@example.org', TEXT]),
    )
    expect(Object.keys(sessionStorage)).toEqual(['draft:question'])
    expect(policy).toContain('**draft:question**')
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  test('is offered to a visitor whom support asks to log in, and in the footer', async () => {
    await openShop('/support')
    const link = await screen.findByRole('link', { name: 'Ask your question without one' })
    expect(link.getAttribute('href')).toBe('/contact')
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getByRole('link', { name: 'Contact' }).getAttribute('href')).toBe('/contact')
    closeShop()
    await openShop('/login')
    expect(screen.queryByRole('link', { name: 'Ask your question without one' })).toBeNull()
  })
})

describe('/contact/{token}', () => {
  const aLinked = (more: Partial<LinkedConversation> = {}): LinkedConversation => ({
    ...aConversation(),
    linkEndsAt: '2026-12-21T09:30:00.000Z',
    ...more,
  })
  const writtenOn = aLinked({
    state: 'new',
    messages: [
      ...aConversation().messages,
      {
        _id: '00000000-0000-4000-8000-0000000000d3',
        author: 'customer',
        text: 'A phone.',
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ],
  })

  test('shows the conversation without a log-in, and takes a reply', async () => {
    server.answers('readQuestion', 200, aLinked())
    await openShop('/contact/a-token')
    await screen.findByText('Which device is it?')
    expect(screen.getByRole('main').textContent).toContain('It works until 21/12/2026')
    expect(server.callsOf('readQuestion')[0]).toMatchObject({
      path: '/api/v1/contact/conversation',
      body: { token: 'a-token' },
    })
    expect(document.querySelector('meta[name=referrer]')?.getAttribute('content')).toBe('no-referrer')
    server.answers('writeByLink', 201, writtenOn)
    fill('Your reply', 'A phone.')
    await send()
    const reply = await screen.findByText('A phone.', { selector: 'li p' })
    await waitFor(() => expect(document.activeElement).toBe(reply.closest('li')))
    expect(typedIn('Your reply')).toBe('')
    expect(server.callsOf('writeByLink').map(({ body }) => body)).toEqual([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), text: 'A phone.', token: 'a-token' },
    ])
  })

  test('says that a link has run out, and where to ask again', async () => {
    server.refuses('readQuestion', 404, 'This link has run out.')
    await openShop('/contact/a-token')
    await screen.findByText('This link does not work')
    expect(main().getByRole('link', { name: 'Ask a question' }).getAttribute('href')).toBe('/contact')
  })

  test('offers to try again where the server is away', async () => {
    await openShop('/contact/a-token')
    const again = await screen.findByRole('button', { name: 'Try again' })
    server.answers('readQuestion', 200, aLinked())
    fireEvent.click(again)
    await screen.findByText('Which device is it?')
  })

  test('loses nothing of a reply that was not sent', async () => {
    server.answers('readQuestion', 200, aLinked())
    await openShop('/contact/a-token')
    await screen.findByText('Which device is it?')
    server.refuses('writeByLink', 429, 'Please wait a little and try again.')
    fill('Your reply', 'A phone.')
    await send()
    expect((await screen.findByRole('alert')).textContent).toContain('What you wrote is still here.')
    expect(typedIn('Your reply')).toBe('A phone.')
  })
})
