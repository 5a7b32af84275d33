import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeShop, openLink, openShop } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
beforeEach(() => {
  server = stubServer()
})
afterEach(() => {
  closeShop()
  vi.unstubAllGlobals()
})

const heading = (name: string) => screen.findByRole('heading', { name })
const userName = () => document.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value

describe.each([
  ['confirm', '/confirm', 'Confirm your email', 'This link no longer works'],
  ['reset', '/reset', 'Choose a new password', 'Nothing was changed'],
  ['email-confirm', '/email/confirm', 'Confirm your new email', 'This link no longer works'],
  ['email-undo', '/email/undo', 'Undo the change of your email', 'This link no longer works'],
  ['second-step', '/second-step', 'Keep the second step', 'There is nothing to stop'],
])('a mailed link of the kind %s', (kind, path, title, over) => {
  test('that is over says so when it is opened, before anything is typed', async () => {
    server.refuses('lookAtLink', 400)
    await openShop(`${path}/abc`)
    await screen.findByText(over)
    expect(screen.queryByLabelText(/password/i)).toBeNull()
  })

  test.each(['abc.', 'abc)', 'abc%3E', 'abc,', '%E2%80%9Cabc%E2%80%9D', 'abc%20'])(
    'works with what was copied with it: %s',
    async (token) => {
      server.answers('lookAtLink', 200, { email: 'ada@example.org' })
      await openLink(`${path}/${token}`)
      await heading(title)
      expect(server.callsOf('lookAtLink')[0]?.body).toEqual({ kind, token: 'abc' })
    },
  )

  test('shows its form where it could not be looked at', async () => {
    server.refuses('lookAtLink', 429)
    await openLink(`${path}/abc`)
    await heading(title)
  })
})

test.each([
  ['/confirm/abc', 'Registration is complete'],
  ['/email/undo/abc', 'The change was undone'],
])('%s says when it is opened again that it is done', async (path, title) => {
  server.answers('lookAtLink', 200, { isDone: true })
  await openShop(path)
  await heading(title)
})

test.each(['/reset/abc', '/email/undo/abc'])(
  '%s tells password managers whose password it is',
  async (path) => {
    server.answers('lookAtLink', 200, { email: 'ada@example.org' })
    await openLink(path)
    await waitFor(() => expect(userName()).toBe('ada@example.org'))
  },
)
