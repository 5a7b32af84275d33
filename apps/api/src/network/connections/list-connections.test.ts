import type { Json } from '@hedgerow/testing/call'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { aCustomerWithConnections, pageOf, pagesOf } from '#testing/long-lists.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const PATH = '/api/v1/connections'
const numbersOf = (rows: Json[]) => rows.map(({ name }: { name: string }) => Number(name.split(' ')[1]))
const namesOf = (rows: Json[]) => rows.map(({ name }: { name: string }) => name)

describe('GET /api/v1/connections', () => {
  test('has the nearest end first, past or to come', async () => {
    const { token } = await aCustomerWithConnections(shop, [40, 6, -2, null, 8, 1, -20, null])
    expect(numbersOf((await pageOf(shop, PATH, token)).rows)).toEqual([6, 3, 2, 5, 7, 1, 4, 8])
  })

  test('has those that were bought together in the order of their numbers', async () => {
    const { token } = await aCustomerWithConnections(shop, [30, 30, 30, 30, 30])
    expect(numbersOf((await pageOf(shop, PATH, token)).rows)).toEqual([1, 2, 3, 4, 5])
  })

  test('has what is over for good last', async () => {
    const { id, token } = await aCustomerWithConnections(shop, [-1, 40, -2])
    await sql`update peers set removed_at = now() from connections
      where connection_id = connections.id and customer_id = ${id} and name = 'Hedgerow 1'`.execute(shop.db)
    expect(numbersOf((await pageOf(shop, PATH, token)).rows)).toEqual([3, 2, 1])
  })

  test('has a connection that ends between two pages once, and at the top when it is asked anew', async () => {
    const ends = Array.from({ length: 120 }, (_, n) => 8 + n)
    const { id, token } = await aCustomerWithConnections(shop, ends)
    const { rows, next = '' } = await pageOf(shop, PATH, token)
    await sql`update connections set expires_at = now() - interval '1 minute'
      where customer_id = ${id} and name = 'Hedgerow 1'`.execute(shop.db)
    const second = await pageOf(shop, next, token)
    expect(numbersOf([...rows, ...second.rows])).toEqual(ends.map((_, n) => n + 1))
    expect(numbersOf((await pageOf(shop, PATH, token)).rows)[0]).toBe(1)
  })

  test('has the configuration of each on its page', async () => {
    const { token } = await aCustomerWithConnections(shop, Array(130).fill(30))
    const all = (await pagesOf(shop, PATH, token)).flat()
    expect(all).toHaveLength(130)
    for (const one of all)
      expect(one).toMatchObject({
        clientPrivateKey: expect.stringMatching(/^.{43}=$/),
        presharedKey: expect.stringMatching(/^.{43}=$/),
        status: 'never-connected',
      })
  })
})

describe('the profile of a customer with 250 connections', () => {
  const ends = Array.from({ length: 250 }, (_, n) => 300 - n)
  const rest = async (profile: Json, token: string) =>
    (await pagesOf(shop, `${PATH}?after=${profile.nextConnections}`, token)).flat()

  test('has the first hundred, and says where the list goes on', async () => {
    const { token } = await aCustomerWithConnections(shop, ends)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
    expect(body.connections).toHaveLength(100)
    const others = await rest(body, token)
    expect(namesOf([...body.connections, ...others])).toEqual(
      Array.from({ length: 250 }, (_, n) => `Hedgerow ${250 - n}`),
    )
  })

  test('is no longer when it is saved, or answers a log-in', async () => {
    const { email, token } = await aCustomerWithConnections(shop, ends)
    const saved = await shop.call('PUT', '/api/v1/user', { token, body: { firstName: 'Ada' } })
    const login = await shop.call('POST', '/api/v1/user/login', {
      body: { username: email, password: PASSWORD },
    })
    for (const [profile, by] of [
      [saved.body, token],
      [login.body.profile, login.body.access_token],
    ]) {
      expect(profile.connections).toHaveLength(100)
      expect(await rest(profile, by)).toHaveLength(150)
    }
  })

  test('says nothing of more where these are all', async () => {
    const { token } = await aCustomerWithConnections(shop, Array(100).fill(30))
    for (const by of [token, (await aCustomer(shop)).token])
      expect((await shop.call('GET', '/api/v1/user/profile', { token: by })).body).not.toHaveProperty(
        'nextConnections',
      )
  })

  test('stands in the file of the account whole', async () => {
    const { token } = await aCustomerWithConnections(shop, ends)
    const { body } = await shop.call('GET', '/api/v1/user/data', { token })
    expect(body.connections).toHaveLength(250)
    expect(body.account).not.toHaveProperty('nextConnections')
  })
})
