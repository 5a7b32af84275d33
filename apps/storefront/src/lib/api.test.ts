import { afterEach, expect, test, vi } from 'vitest'
import { api } from '#lib/api.ts'

const cookies = vi.spyOn(document, 'cookie', 'get')
const send = vi.spyOn(globalThis, 'fetch')
afterEach(() => vi.clearAllMocks())

/** The header that a call sends from a browser with these cookies. */
const repeated = async (all: string): Promise<string | null> => {
  cookies.mockReturnValue(all)
  send.mockResolvedValue(new Response('{}', { headers: { 'content-type': 'application/json' } }))
  await api.call('logout', {})
  return new Headers(send.mock.lastCall?.[1]?.headers).get('x-xsrf-token')
}

test('a call repeats the cookie against forgery, over TLS the one that nobody can have planted', async () => {
  expect(await repeated('a=b; XSRF-TOKEN=plain')).toBe('plain')
  expect(await repeated('XSRF-TOKEN=planted; __Host-XSRF-TOKEN=own')).toBe('own')
  expect(await repeated('a=b')).toBeNull()
})
