import { randomUUID } from 'node:crypto'
import type { Json } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endConnectionIn } from '#testing/nodes.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
afterEach(() => void vi.useRealTimers())

const HOUR_S = 3600
const setClock = (hours: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_S * 1000 })

/** A connection with a link, which ends so many seconds from now. */
const aConnection = async (seconds: number) => {
  const { customer } = await aPurchase(shop)
  const { token } = customer
  const list = async (): Promise<Json> =>
    (await shop.call('GET', '/api/v1/user/profile', { token })).body.connections[0]
  const { _id } = await list()
  const path = `/api/v1/connections/${_id}`
  const { body } = await shop.call('POST', `${path}/link`, { token })
  await endConnectionIn(shop, _id, seconds)
  return {
    list,
    shown: () => shop.call('POST', '/api/v1/shared', { body: { token: new URL(body.url).hash.slice(1) } }),
    calls: () =>
      Promise.all([
        shop.call('PUT', path, { token, body: { name: 'Phone' } }),
        shop.call('POST', `${path}/keys`, { token }),
        shop.call('POST', `${path}/link`, { token }),
        shop.call('POST', `/api/v1/user/mail/connection/${_id}`, { token }),
        shop.call('POST', `${path}/location`, { token, body: { location: randomUUID() } }),
      ]),
  }
}

describe('whether a connection has ended is said by the clock of the database', () => {
  test('where that of the process is an hour behind', async () => {
    const { list, shown, calls } = await aConnection(-HOUR_S / 2)
    setClock(-1)
    expect((await list()).status).toBe('expired')
    expect((await shown()).body.configuration).toBeNull()
    for (const reply of await calls()) expectProblem(reply, 409)
  })

  test('where that of the process is an hour ahead', async () => {
    const { list, shown, calls } = await aConnection(HOUR_S / 2)
    setClock(1)
    expect((await list()).status).toBe('never-connected')
    expect((await shown()).body.configuration).toEqual(expect.any(Object))
    const statuses = (await calls()).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200, expect.any(Number)])
    expect(statuses.at(-1)).not.toBe(409)
  })
})
