import type { Conversation } from '@hedgerow/contract/conversations'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aConversation, aProfile } from '#testing/fixtures.ts'
import { openProfile, PROFILE } from '#testing/open-profile.tsx'
import { address, button, closeShop, fill, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
let made = 0
beforeEach(() => {
  server = stubServer()
  localStorage.clear()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const SUPPORT = aConversation()
const APPLICATION = aConversation({
  _id: '00000000-0000-4000-8000-0000000000e1',
  kind: 'application',
  state: 'refused',
  messages: [
    {
      _id: '00000000-0000-4000-8000-0000000000e1',
      author: 'customer',
      text: 'A shop for sailors.',
      createdAt: '2026-11-01T10:00:00.000Z',
    },
  ],
})

/** Each test is another customer: what one did not send stays a draft of theirs. */
const open = async (conversations: Conversation[], more = '') => {
  server.answers('listConversations', 200, conversations)
  const profile = aProfile({ _id: `writer-${made++}` })
  await openShopAs(profile, server, `/profile?tab=profile${more}`)
  await screen.findByRole('heading', { name: 'Messages' })
  return profile
}
const thread = (name: string | RegExp) => {
  const details = screen.getByRole('heading', { level: 3, name }).closest('details')
  if (!details) throw new Error(`${name} is no conversation`)
  return details
}
const write = async (text: string, at: HTMLElement = thread(/Support message/)) => {
  fireEvent.input(within(at).getByLabelText('Your reply'), { target: { value: text } })
  await waitFor(() =>
    expect(within(at).getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(false),
  )
  fireEvent.click(within(at).getByRole('button', { name: 'Send' }))
}
const typed = () => within(thread(/Support message/)).getByLabelText<HTMLTextAreaElement>('Your reply').value
const sent = () => server.callsOf('addMessage').map(({ body }) => body as { id: string; text: string })

const answered = (text: string): Conversation => ({
  ...SUPPORT,
  state: 'new',
  messages: [
    ...SUPPORT.messages,
    {
      _id: '00000000-0000-4000-8000-0000000000d3',
      author: 'customer',
      text,
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  ],
})

test('leads a customer who has written nothing to support', async () => {
  // What could not be shown at first is seen to go, so it is known that the answer has come.
  server.refuses('listConversations', 429)
  await openProfile(server)
  const alert = await screen.findByRole('alert')
  server.answers('listConversations', 200, [])
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await screen.findByText(/You have not written to us yet/)
  expect(screen.getByRole('link', { name: 'Write to support' }).getAttribute('href')).toBe('/support')
})

test('shows who wrote what and when, the latest conversation open, each with its state', async () => {
  await open([SUPPORT, APPLICATION])
  const [support, application] = [thread(/Support message/), thread(/White label application/)]
  expect([support.open, application.open]).toEqual([true, false])
  within(support).getByText('Answered')
  within(application).getByText('Declined')
  const items = within(support)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(items).toEqual([
    'You20/11/2026 23:05The tunnel drops every night\nat about eleven.',
    'Hedgerow21/11/2026 18:30Which device is it?',
  ])
})

test('opens the conversation that the mail leads to', async () => {
  await open([SUPPORT, APPLICATION], `&conversation=${APPLICATION._id}`)
  expect([thread(/Support message/).open, thread(/White label application/).open]).toEqual([false, true])
})

test('sends what is written on, shows it, and empties the field', async () => {
  await open([SUPPORT])
  server.answers('addMessage', 201, answered('A phone'))
  await write('A phone')
  await screen.findByText('Your message has been sent')
  expect(server.callsOf('addMessage')[0]?.path).toBe(`/api/v1/support/${SUPPORT._id}/messages`)
  expect(sent()).toEqual([{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), text: 'A phone' }])
  within(thread(/Support message/)).getByText('Waiting for our reply')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('A phone'))
  expect(typed()).toBe('')
})

test('keeps the words when they cannot be sent, and sends the same message again', async () => {
  await open([SUPPORT])
  await write('A phone')
  expect((await screen.findByRole('alert')).textContent).toContain('What you wrote is still here.')
  expect(typed()).toBe('A phone')
  server.answers('addMessage', 201, answered('A phone'))
  await write('A phone')
  await screen.findByText('Your message has been sent')
  expect(sent()[1]?.id).toBe(sent()[0]?.id)
})

test('keeps a draft while another page is looked at, for the same customer only', async () => {
  const profile = await open([SUPPORT])
  fill('Your reply', 'Half a sent')
  closeShop()
  server.answers('listConversations', 200, [SUPPORT])
  await openShopAs(profile, server, '/profile?tab=profile')
  await screen.findByRole('heading', { name: 'Messages' })
  expect(typed()).toBe('Half a sent')
  closeShop()
  await open([SUPPORT])
  expect(typed()).toBe('')
})

test('pressed twice sends once', async () => {
  await open([SUPPORT])
  server.hangs('addMessage')
  await write('A phone')
  fireEvent.click(button('Send'))
  fireEvent.submit(button('Send').closest('form') as HTMLFormElement)
  await waitFor(() => expect(button('Send').getAttribute('aria-busy')).toBe('true'))
  expect(sent()).toHaveLength(1)
})

test('takes no words that would be neither sent nor kept', async () => {
  await open([SUPPORT])
  server.hangs('addMessage')
  await write('A phone')
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your reply').readOnly).toBe(true))
})

test('shows what is wrong at the field, and what the server refused', async () => {
  await open([SUPPORT])
  fill('Your reply', 'a'.repeat(5001))
  await screen.findByText('The text cannot be longer than 5,000 characters')
  server.refuses('addMessage', 422, 'x', { errors: [{ path: 'text', message: 'Not like this' }] })
  await write('A phone')
  const error = await screen.findByText('Not like this')
  expect(screen.getByLabelText('Your reply').getAttribute('aria-describedby')).toContain(
    error.parentElement?.id,
  )
})

test('says that writing opens a closed one again, and that there was more', async () => {
  await open([aConversation({ state: 'closed', hasEarlier: true })])
  screen.getByText('Closed')
  screen.getByText('This reopens the conversation.')
  screen.getByText(/These are the newest messages/)
})

test('says so when the messages do not load, and asks again', async () => {
  server.refuses('listConversations', 429, 'Too many attempts.')
  await openProfile(server)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Your messages did not load')
  server.answers('listConversations', 200, [SUPPORT])
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Messages' })
})

test.each(['/support', '/submit'])('%s leads to what was written before', async (path) => {
  server.answers('listConversations', 200, [SUPPORT])
  await openShopAs(PROFILE, server, path)
  fireEvent.click(await screen.findByRole('link', { name: 'Your earlier messages' }))
  await screen.findByRole('heading', { name: 'Messages' })
  expect(address()).toBe(`/profile?tab=profile&conversation=${SUPPORT._id}`)
})
