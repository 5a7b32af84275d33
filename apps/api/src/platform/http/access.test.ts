import { randomUUID } from 'node:crypto'
import type { Access, Endpoint } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import { aCustomer, aSession } from '#testing/customers.ts'
import { holdBody } from '#testing/held-body.ts'
import { aNode, anEnrolment } from '#testing/nodes.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ALL = Object.values<unknown>(endpoints).filter(
  (one): one is Endpoint => typeof one === 'object' && one !== null && 'access' in one,
)
/** Two calls at one address are one: a setting says which of them is there. */
const callsFor = (access: Access) => {
  const calls = ALL.filter((one) => one.access === access)
  return [...new Map(calls.map(({ method, url }) => [`${method} ${url}`, [method, url] as const])).values()]
}

/** An address of a record that does not exist. */
const addressOf = (url: string) => url.replace(/:\w+/g, () => randomUUID())

const anEndedSession = async (): Promise<string> => {
  const { id, token } = await aCustomer(shop)
  const expires_at = new Date(Date.now() - 1_000)
  await shop.db.updateTable('sessions').set({ expires_at }).where('customer_id', '=', id).execute()
  return token
}

/** Whom the shop knows, each by what it proves itself with. */
let agent: string
let customer: string
let endedSession: string
beforeAll(async () => {
  agent = (await aNode(shop)).secret
  customer = (await aCustomer(shop)).token
  endedSession = await anEndedSession()
})

describe('a call that is for customers', () => {
  test('is most of them', () => expect(callsFor('signed-in').length).toBeGreaterThan(25))

  test.each(callsFor('signed-in'))(
    '%s %s knows a caller only by a session that lasts',
    async (method, url) => {
      for (const token of [undefined, newToken(), agent, endedSession]) {
        const { headers } = expectProblem(await shop.call(method, addressOf(url), { token }), 401)
        expect(headers.get('www-authenticate')).toBe('Bearer')
      }
      // Some of these calls end a session.
      const { token } = await aCustomer(shop)
      expect((await shop.call(method, addressOf(url), { token })).status).not.toBe(401)
    },
  )
})

const METHODS_WITHOUT_BODY = ['GET', 'HEAD']

describe('a session that ends while the body of a call is held back', () => {
  test.each(callsFor('signed-in').filter(([method]) => !METHODS_WITHOUT_BODY.includes(method)))(
    'lets %s %s do nothing',
    async (method, url) => {
      const owner = await aCustomer(shop)
      const thief = await aSession(shop, owner.id)
      const ofThief = sql`token_hash = ${hashToken(thief)}`
      await sql`update sessions set last_used_at = now() - interval '2 hours' where ${ofThief}`.execute(
        shop.db,
      )
      const sendRest = await holdBody(shop.url + addressOf(url), method, { authorization: `Bearer ${thief}` })
      // It was let in: its use is written down.
      await until(async () => {
        const { rows } = await sql`select from sessions
          where ${ofThief} and last_used_at > now() - interval '1 hour'`.execute(shop.db)
        return rows.length
      })
      expect((await shop.call('DELETE', '/api/v1/user/sessions', { token: owner.token })).status).toBe(200)
      expect(await sendRest()).toBe(401)
    },
  )
})

describe('a call that is for agents', () => {
  test('is none that a customer makes', () => expect(callsFor('agent').length).toBeGreaterThan(1))

  test.each(callsFor('agent'))('%s %s knows only an agent by its secret', async (method, url) => {
    for (const token of [undefined, newToken(), customer, anEnrolment(newToken()).secret])
      expectProblem(await shop.call(method, addressOf(url), { token }), 401)
    expect((await shop.call(method, addressOf(url), { token: agent })).status).not.toBe(401)
  })
})
