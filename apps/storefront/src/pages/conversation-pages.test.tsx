import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aConversation, aProfile } from '#testing/fixtures.ts'
import { address, button, closeShop, fill, openShop, openShopAs } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
let made = 0
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const PAGES = [
  {
    path: '/submit',
    call: 'applyForWhiteLabel',
    field: 'commentary',
    label: 'Commentary',
    heading: 'White label application',
    thanks: /Thank you. We have your application/,
  },
  {
    path: '/support',
    call: 'contactSupport',
    field: 'problem',
    label: 'Describe your problem',
    heading: 'Support and feedback',
    thanks: /Thank you. We have your message/,
  },
] as const

const TEXT = 'The tunnel drops every night'
const typedInto = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

describe.each(PAGES)('$path', ({ path, call, field, label, heading, thanks }) => {
  /** Each test is another customer: what one did not send stays a draft of theirs. */
  const open = async () => {
    const profile = aProfile({ _id: `customer-${made++}` })
    await openShopAs(profile, server, path)
    await screen.findByRole('heading', { level: 1, name: heading })
    return profile
  }
  const submit = async () => {
    await waitFor(() => expect(button('Submit').disabled).toBe(false))
    fireEvent.click(button('Submit'))
  }
  const sent = () => server.callsOf(call).map(({ body }) => body as Record<string, string>)

  test('sends a visitor to log in and back', async () => {
    await openShop(path)
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`))
  })

  test('shows the email read-only and the name of the profile, and waits for words', async () => {
    await open()
    const email = screen.getByLabelText<HTMLInputElement>('Email')
    expect([email.value, email.readOnly]).toEqual(['ada@example.org', true])
    expect(typedInto('Name')).toBe('Ada')
    expect(button('Submit').disabled).toBe(true)
    expect(screen.getByLabelText(label).getAttribute('name')).toBe(field)
  })

  test.each([
    ['Name', '', 'Enter your name'],
    ['Name', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    [label, '', 'Write a few words'],
    [label, 'too short', 'Write 10 characters or more'],
    [label, 'a'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
  ])('%s with "%.12s" shows: %s', async (name, value, message) => {
    await open()
    fill(label, TEXT)
    fill(name, value)
    const error = await screen.findByText(message)
    expect(screen.getByLabelText(name).getAttribute('aria-describedby')).toContain(error.parentElement?.id)
    expect(button('Submit').disabled).toBe(true)
  })

  test('counts the characters', async () => {
    await open()
    screen.getByText('0 of 5,000 characters')
    fill(label, 'Ten wrens 😀')
    const counter = screen.getByText('11 of 5,000 characters')
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(counter.id)
  })

  test('goes home with a visible thank-you that is announced', async () => {
    await open()
    server.answers(call, 201, { _id: 'one' })
    fill(label, TEXT)
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    expect(screen.getByText(thanks).closest('[role=status]')).not.toBeNull()
    expect(sent()).toEqual([{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Ada', [field]: TEXT }])
  })

  test('shows what was sent in the profile, from then on', async () => {
    await open()
    await waitFor(() => expect(server.callsOf('listConversations')).not.toEqual([]))
    server.answers(call, 201, { _id: 'one' })
    server.answers('listConversations', 200, [aConversation()])
    fill(label, TEXT)
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    act(() => window.history.pushState(null, '', '/profile?tab=profile'))
    await screen.findByRole('heading', { name: 'Messages' })
    await screen.findByText('Which device is it?')
  })

  test('takes no words that would be neither sent nor kept', async () => {
    await open()
    server.hangs(call)
    fill(label, TEXT)
    await submit()
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(label).readOnly).toBe(true))
    expect(screen.getByLabelText<HTMLInputElement>('Name').readOnly).toBe(true)
  })

  test('pressed twice sends once', async () => {
    await open()
    server.hangs(call)
    fill(label, TEXT)
    await submit()
    fireEvent.click(button('Submit'))
    fireEvent.submit(button('Submit').closest('form') as HTMLFormElement)
    await waitFor(() => expect(button('Submit').getAttribute('aria-busy')).toBe('true'))
    expect(sent()).toHaveLength(1)
  })

  test('keeps everything when it fails, says what to do, and sends the same message again', async () => {
    await open()
    fill('Name', 'Ada L.')
    fill(label, TEXT)
    await submit()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Check your connection and try again.')
    expect(alert.textContent).toContain('What you wrote is still here.')
    expect([typedInto('Name'), typedInto(label)]).toEqual(['Ada L.', TEXT])
    server.refuses(call, 503, 'We cannot answer right now.')
    await submit()
    await screen.findByText(/We cannot answer right now/)
    server.answers(call, 201, { _id: 'one' })
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    const [first, second, third] = sent()
    expect([second?.id, third?.id]).toEqual([first?.id, first?.id])
  })

  test('sends other words as another message', async () => {
    await open()
    fill(label, TEXT)
    await submit()
    await screen.findByRole('alert')
    fill(label, `${TEXT}, still`)
    await submit()
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.id).not.toBe(sent()[0]?.id)
  })

  test('gives the words another number when theirs was taken', async () => {
    await open()
    server.refuses(call, 409, 'Please send it again.')
    fill(label, TEXT)
    await submit()
    await screen.findByText(/Please send it again/)
    await submit()
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.id).not.toBe(sent()[0]?.id)
  })

  test('shows at the field what the server refused', async () => {
    await open()
    server.refuses(call, 422, 'Please check', { errors: [{ path: field, message: 'Not like this' }] })
    fill(label, TEXT)
    await submit()
    const error = await screen.findByText('Not like this')
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(error.parentElement?.id)
  })

  test('keeps the words when the session has ended, for the same customer only', async () => {
    const profile = await open()
    server.refuses(call, 401, 'Please log in.')
    fill(label, TEXT)
    await submit()
    await waitFor(() => expect(address()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`))
    server.answers('login', 200, { access_token: 'fresh', profile })
    fill('Email', profile.email)
    fill('Password', 'correct horse')
    await waitFor(() => expect(button('Continue').disabled).toBe(false))
    fireEvent.click(button('Continue'))
    await screen.findByRole('heading', { level: 1, name: heading })
    expect(typedInto(label)).toBe(TEXT)
    await waitFor(() => expect(button('Submit').disabled).toBe(false))
    closeShop()
    await open()
    expect(typedInto(label)).toBe('')
  })

  test('forgets the words once they were sent', async () => {
    const profile = await open()
    server.answers(call, 201, { _id: 'one' })
    fill(label, TEXT)
    await submit()
    await waitFor(() => expect(address()).toBe('/'))
    closeShop()
    await openShopAs(profile, server, path)
    await screen.findByRole('heading', { level: 1, name: heading })
    expect(typedInto(label)).toBe('')
  })
})
