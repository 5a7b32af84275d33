import type { Limit } from '@hedgerow/contract/endpoint'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { expect } from 'vitest'
import type { Front } from '#testing/test-shop.ts'

export const LIMITED = { env: { RATE_LIMIT_SCALE: '1' } }

export const expectTooMany = (reply: Reply) => {
  expectProblem(reply, 429)
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3600)
}

/** Calls until it is too often; returns how many calls were not. */
export const countUntilRefused = async (most: number, call: () => Promise<Reply>): Promise<number> => {
  for (let count = 0; count <= most; count++) {
    const reply = await call()
    if (reply.status === 429) {
      expectTooMany(reply)
      return count
    }
  }
  return Number.POSITIVE_INFINITY
}

export const logIn = (shop: Pick<Front, 'call'>, username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })

/** Calls as though they came from this address. */
export const BEHIND_PROXY = { env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } }
export const from = (address: string, cookie?: string) => ({
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
})

const by = (limit: Limit): string => {
  if (limit.by === 'customer') return 'an account'
  if (limit.by === 'address') return 'an address'
  if (limit.field === 'token') return 'a link'
  return limit.andAddress ? 'an account and address' : 'an account'
}

/** A limit as the documents say it. */
export const limitInWords = (limit: Limit): string =>
  `${limit.calls} ${by(limit)} in ${limit.minutes} ${limit.minutes === 1 ? 'minute' : 'minutes'}`
