import { DAY_MS } from '@hedgerow/domain/dates'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder, maskOf } from '#testing/orders.ts'
import {
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paidWhile,
  pay,
  paymentRow,
  startPayment,
} from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('a payment that succeeds', () => {
  test('makes as many connections as were bought, each for the days that were bought', async () => {
    const { paymentId } = await aPurchase(shop, { days: 7, connections: 5, features: { feature2: true } })
    const rows = await connectionsOf(shop, paymentId)
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(rows).toHaveLength(5)
    for (const row of rows) {
      expect(row.expires_at?.getTime()).toBe((ended_at?.getTime() ?? 0) + 7 * DAY_MS)
      expect(row).toMatchObject({ options: maskOf('adFilter'), filters_on: maskOf('adFilter') })
    }
  })

  test('shows the customer everything that a configuration needs', async () => {
    const { customer } = await aPurchase(shop)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    expect(body.connections.map(({ name }: { name: string }) => name)).toEqual([
      'Hedgerow 1',
      'Hedgerow 2',
      'Hedgerow 3',
    ])
    for (const connection of body.connections) {
      expect(connection).toMatchObject({
        clientPrivateKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        presharedKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        address: expect.stringMatching(/^10\.\d+\.\d+\.\d+\/32, fd64:6865:6467::[0-9a-f:]+\/128$/),
        dns: '10.64.0.1',
        allowedIPs: '0.0.0.0/0, ::/0, 10.64.0.1/32',
        endpoint: '192.0.2.1:51820',
      })
    }
  })

  test('numbers later connections on', async () => {
    const { customer } = await aPurchase(shop)
    const { paymentId } = await aPurchase(shop, {}, {}, customer)
    const names = (await connectionsOf(shop, paymentId)).map(({ name }) => name)
    expect(names).toEqual(['Hedgerow 4', 'Hedgerow 5', 'Hedgerow 6'])
  })

  test('keeps private keys sealed', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    const sealed = await connectionsOf(shop, paymentId)
    for (const [i, { clientPrivateKey, presharedKey }] of body.connections.entries()) {
      const row = sealed[i]
      expect(row?.private_key_encrypted?.includes(Buffer.from(clientPrivateKey, 'base64'))).toBe(false)
      expect(row?.preshared_key_encrypted.includes(Buffer.from(presharedKey, 'base64'))).toBe(false)
    }
  })

  test('never gives two connections the same address or key, when many succeed at once', async () => {
    const buyers = await Promise.all(Array.from({ length: 30 }, () => aCustomer(shop)))
    const orders = await Promise.all(buyers.map((buyer) => anOrder(shop, buyer)))
    const ids = await Promise.all(
      orders.map(async (order, i) => {
        const id = await startPayment(shop, buyers[i] ?? { token: '' }, order, { pan: CARDS.challenged })
        await challengeOf(shop, id)
        return id
      }),
    )
    const replies = await Promise.all(
      ids.map((paymentId) =>
        sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const profiles = await Promise.all(
      buyers.map(({ token }) => shop.call('GET', '/api/v1/user/profile', { token })),
    )
    const all = profiles.flatMap(({ body }) => body.connections)
    expect(all).toHaveLength(90)
    for (const field of ['_id', 'address', 'clientPrivateKey', 'presharedKey']) {
      expect(new Set(all.map((one) => one[field])).size).toBe(90)
    }
  })
})

describe('a payment that succeeds while every node is full', () => {
  /** A shop whose only node has room for five connections. */
  const aSmallShop = async () => {
    const small = await startTestShop()
    await makeSmall(small)
    return small
  }

  const makeSmall = ({ db }: TestShop) =>
    sql`update nodes set ipv4 = '10.9.0.0/29', ipv6 = 'fd09::/64'`.execute(db)

  /** A purchase that another one leaves too little room for. */
  const aLatePurchase = async (small: TestShop) => {
    const customer = await aCustomer(small)
    const order = await anOrder(small, customer)
    return { customer, order, paymentId: await paidWhile(small, customer, order, () => aPurchase(small)) }
  }

  const addRoom = (small: Awaited<ReturnType<typeof aSmallShop>>) =>
    sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
      values (gen_random_uuid(), 'second', '192.0.2.2:51820', 'k', '10.10.0.0/24', 'fd10::/64')`.execute(
      small.db,
    )

  test('waits, and is delivered once as soon as there is room', async () => {
    const small = await aSmallShop()
    const { paymentId, customer, order } = await aLatePurchase(small)
    expect(await connectionsOf(small, paymentId)).toEqual([])
    const { body } = await small.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body.status).toBe('Completed')
    await addRoom(small)
    await until(async () => {
      await hurry(small, 'deliver-payment')
      return (await paymentRow(small, paymentId)).delivered_at
    })
    const rows = await connectionsOf(small, paymentId)
    expect(rows).toHaveLength(3)
    await queueIsEmpty(small)
    const { token } = customer
    expect((await small.call('GET', '/api/v1/user/profile', { token })).body.connections).toHaveLength(3)
  })

  test('leaves the room that is there to smaller orders', async () => {
    const small = await startTestShop()
    const customer = await aCustomer(small)
    const order = await anOrder(small, customer, { connections: 13 })
    const waiting = await paidWhile(small, customer, order, () => makeSmall(small))
    expect(await connectionsOf(small, waiting)).toEqual([])
    const { paymentId } = await aPurchase(small, { connections: 5 })
    expect(await connectionsOf(small, paymentId)).toHaveLength(5)
  })

  test('cannot be paid a second time while it waits', async () => {
    const small = await aSmallShop()
    const { customer, order } = await aLatePurchase(small)
    expectProblem(await pay(small, customer, order), 409)
  })

  test('is tried again within minutes, however often there was no room', async () => {
    const small = await aSmallShop()
    await aLatePurchase(small)
    const job = async () => {
      const { rows } = await sql<{ id: string; is_idle: boolean; seconds: number }>`
        select id, locked_at is null as is_idle, extract(epoch from run_at - now())::int as seconds
        from graphile_worker.jobs where task_identifier = 'deliver-payment'`.execute(small.db)
      return rows[0]
    }
    for (const _ of [1, 2, 3]) {
      const before = await job()
      await hurry(small, 'deliver-payment')
      await until(async () => {
        const now = await job()
        return now?.is_idle && now.id !== before?.id
      })
      expect((await job())?.seconds).toBeLessThan(600)
    }
  })
})
