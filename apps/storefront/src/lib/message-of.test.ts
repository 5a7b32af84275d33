import { messageOf } from '@hedgerow/web/message-of.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '#lib/api.ts'
import { stubServer } from '#testing/server.ts'

afterEach(() => vi.unstubAllGlobals())

const messageFor = () =>
  api.call('listItems', {}).then(
    () => 'no failure',
    (error) => messageOf(error),
  )

test('a failure of ours is shown with the reference that the support finds it by', async () => {
  const server = stubServer()
  server.refuses('listItems', 500, 'Something went wrong on our side.', { requestId: 'kdmfaopbgcehnjil' })
  expect(await messageFor()).toBe('Something went wrong on our side. Reference kdmfaopbgcehnjil')
})

test('a refusal that the customer can do something about has none', async () => {
  const server = stubServer()
  server.refuses('listItems', 409, 'This plan is no longer sold.', { requestId: 'kdmfaopbgcehnjil' })
  expect(await messageFor()).toBe('This plan is no longer sold.')
})

test('an answer that nobody understands is shown with the id that the page sent along', async () => {
  const sent: (string | null)[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('x-request-id'))
    return new Response('<h1>504 Gateway Time-out</h1>', { status: 504 })
  })
  expect(await messageFor()).toMatch(new RegExp(`Try again in a moment\\. Reference ${sent[0]}$`))
  expect(sent[0]).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
  await messageFor()
  expect(sent[1]).not.toBe(sent[0])
})

test('a server that was not reached knows of no reference', async () => {
  stubServer()
  expect(await messageFor()).toBe('We could not reach the server. Check your connection and try again.')
})
