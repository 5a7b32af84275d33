import type { Json } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder, maskOf } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import {
  CARDS,
  challengeOf,
  connectionsOf,
  paidWhile,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, connectionRow, daysBetween, moveEnd, renew, secondReceipt } from '#testing/renewals.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const listOf = async (
  where: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
): Promise<Json[]> => (await where.call('GET', '/api/v1/user/profile', { token })).body.connections

describe('a payment that extends', () => {
  const ways: [string, (customer: TestCustomer, ids: string[]) => Promise<string>][] = [
    ['by card', async (customer, ids) => (await renew(shop, customer, ids)).paymentId],
    [
      'by bank',
      async (customer, ids) => {
        const ordered = await anOrder(shop, customer, { days: 10, currency: 'GBP', renew: ids })
        const paymentId = await startBy(payByBank, shop, customer, ordered, { bankId: BANKS.noConsent })
        await reached(shop, paymentId, 'awaiting redirect result')
        await answerElsewhere(shop, paymentId)
        await reached(shop, paymentId, 'Success')
        return paymentId
      },
    ],
    [
      'by Blik',
      async (customer, ids) => {
        await setRate(shop, 'EUR', 4_250_000)
        const ordered = await anOrder(shop, customer, { days: 10, renew: ids })
        const paymentId = await startBy(payByBlik, shop, customer, ordered)
        await reached(shop, paymentId, 'awaiting redirect result')
        await answerElsewhere(shop, paymentId, 'approve', '123456')
        await reached(shop, paymentId, 'Success')
        return paymentId
      },
    ],
  ]
  test.each(ways)('%s adds its days, and keeps keys, address, name and filters', async (_, pay) => {
    const { customer, ids, rows } = await anOwner(shop, { features: {} })
    const before = await listOf(shop, customer)
    const chosen = ids.slice(0, 2)
    const paymentId = await pay(customer, chosen)
    const after = await listOf(shop, customer)
    expect(after).toHaveLength(4)
    for (const old of before) {
      const now = after.find(({ _id }) => _id === old._id)
      const { expirationDate, cancellable, lastBought, ...same } = now
      expect(old).toMatchObject(same)
      const own = chosen.includes(old._id) ? [{ paymentId, until: expect.any(String) }] : []
      expect(cancellable).toEqual([...own, ...old.cancellable])
      expect(lastBought.days).toBe(chosen.includes(old._id) ? 10 : old.lastBought.days)
      const added = daysBetween(new Date(old.expirationDate), new Date(expirationDate))
      expect(added).toBe(chosen.includes(old._id) ? 10 : 0)
    }
    expect((await connectionsOf(shop, paymentId)).map(({ name, ordinal }) => [name, ordinal])).toEqual([
      ['Hedgerow 4', 1],
    ])
    expect(rows.map(({ name }) => name)).toEqual(['Hedgerow 1', 'Hedgerow 2', 'Hedgerow 3'])
  })

  test('starts from now where the end has passed, and tells the node', async () => {
    const { customer, ids } = await anOwner(shop)
    const id = ids[0] ?? ''
    await moveEnd(shop, id, -5)
    await sql`update peers set revision = 7 where connection_id = any(${ids}::uuid[])`.execute(shop.db)
    const { paymentId } = await renew(shop, customer, [id])
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(daysBetween(ended_at, (await connectionRow(shop, id)).expires_at)).toBeCloseTo(10, 5)
    const { rows } = await sql<{ id: string }>`
      select connection_id as id from peers where connection_id = any(${ids}::uuid[]) and revision is null`.execute(
      shop.db,
    )
    expect(rows).toEqual([{ id }])
  })

  test('switches an option on that it adds, and leaves filters off that the customer has switched off', async () => {
    const { customer, ids } = await anOwner(shop, { features: { feature2: true } })
    await sql`update connections set filters_on = 0 where id = ${ids[0]}`.execute(shop.db)
    await renew(shop, customer, [ids[0] ?? ''], { features: { feature2: true, feature4: true } })
    expect(await connectionRow(shop, ids[0] ?? '')).toMatchObject({
      options: maskOf('adFilter', 'familyFilter'),
      filters_on: maskOf('familyFilter'),
    })
  })

  test('extends all of them without any address, when every node is full', async () => {
    const small = await startTestShop()
    await sql`update nodes set ipv4 = '10.9.0.0/29', ipv6 = 'fd09::/64'`.execute(small.db)
    const { customer, ids, rows } = await anOwner(small, {})
    const { paymentId } = await renew(small, customer, ids)
    expect((await paymentRow(small, paymentId)).delivered_at).not.toBeNull()
    for (const [i, id] of ids.entries())
      expect(daysBetween(rows[i]?.expires_at, (await connectionRow(small, id)).expires_at)).toBe(10)
    // There is room for two more: one that is extended leaves room for two new ones.
    const last = await anOrder(small, customer, { days: 10, renew: ids.slice(0, 2) })
    const waiting = await paidWhile(small, customer, last, async () => {
      const { paymentId: next } = await renew(small, customer, [ids[0] ?? ''])
      expect(await connectionsOf(small, next)).toHaveLength(2)
    })
    // The last one waits for room: nothing of it is extended before.
    expect((await paymentRow(small, waiting)).delivered_at).toBeNull()
    expect(daysBetween(rows[1]?.expires_at, (await connectionRow(small, ids[1] ?? '')).expires_at)).toBe(10)
    await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
      values (gen_random_uuid(), 'second', '192.0.2.2:51820', 'k', '10.10.0.0/24', 'fd10::/64')`.execute(
      small.db,
    )
    await until(async () => {
      await hurry(small, 'deliver-payment')
      return (await paymentRow(small, waiting)).delivered_at
    })
    expect(await connectionsOf(small, waiting)).toHaveLength(1)
    expect(daysBetween(rows[1]?.expires_at, (await connectionRow(small, ids[1] ?? '')).expires_at)).toBe(20)
  })

  test.each<[string, (ids: string[], paymentId: string) => Promise<unknown>]>([
    ['was deleted', ([id]) => sql`delete from connections where id = ${id}`.execute(shop.db)],
    [
      'was revoked',
      ([id]) => sql`update peers set removed_at = now() where connection_id = ${id}`.execute(shop.db),
    ],
    [
      'has got an option since',
      ([id]) => sql`update connections set options = ${maskOf('adFilter')} where id = ${id}`.execute(shop.db),
    ],
  ])('makes a new one in place of one that %s while it was under way', async (_, happens) => {
    const { customer, ids } = await anOwner(shop)
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids.slice(0, 2) })
    const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const [gone, kept] = await Promise.all([
      connectionRow(shop, ids[0] ?? ''),
      connectionRow(shop, ids[1] ?? ''),
    ])
    await happens(ids, paymentId)
    await sendUpdate(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(2)
    const rest = await shop.db
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', ids[0] ?? '')
      .execute()
    for (const { expires_at } of rest) expect(expires_at).toEqual(gone.expires_at)
    expect(daysBetween(kept.expires_at, (await connectionRow(shop, ids[1] ?? '')).expires_at)).toBe(10)
    const latest = await secondReceipt(shop, customer)
    expect(latest.text).toContain('One connection could no longer be extended, so there is a new one')
    expect(latest.text).toContain('Hedgerow 2 keeps its keys')
  })

  test('adds up with others that extend the same connections at once', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const all = await Promise.all(
      [1, 2, 4, 8, 16].map(async (days, i) => {
        const chosen = i % 2 ? ids : ids.toReversed()
        const ordered = await anOrder(shop, customer, { days, renew: chosen })
        const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
        await challengeOf(shop, paymentId)
        return { paymentId, amountMinor: days * 100 }
      }),
    )
    // Each success is reported three times.
    const replies = await Promise.all(
      [...all, ...all, ...all].map((one) => sendUpdate(shop, { ...one, currency: 'EUR', status: 'success' })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    for (const [i, id] of ids.entries())
      expect(daysBetween(rows[i]?.expires_at, (await connectionRow(shop, id)).expires_at)).toBe(31)
    expect(await listOf(shop, customer)).toHaveLength(3)
  })

  test('extends nothing for a second payment of the same order', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids })
    const first = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    const second = await startPayment(shop, customer, ordered, { pan: CARDS.challenged, instead: first })
    await challengeOf(shop, second)
    await Promise.all(
      [first, second].map((paymentId) =>
        sendUpdate(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' }),
      ),
    )
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBe(10)
    const due = await Promise.all([first, second].map((id) => paymentRow(shop, id)))
    expect(due.filter(({ refund_due }) => refund_due)).toHaveLength(1)
    // The one that goes back takes nothing with it.
    const paidTwice = due.find(({ refund_due }) => refund_due)?.id ?? ''
    await until(async () => (await refundsOf(shop, paidTwice))[0]?.status !== undefined)
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBe(10)
  })

  test('gives the money back where the account was erased meanwhile', async () => {
    const { customer, ids } = await anOwner(shop)
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids })
    const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.declined })
    await reached(shop, paymentId, 'Decline')
    await queueIsEmpty(shop)
    await eraseAccount(shop, customer)
    await sendUpdate(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' })
    expect((await paymentRow(shop, paymentId)).refund_due).toBe(true)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('says on invoice, receipt and in the history what was extended', async () => {
    const { customer, ids } = await anOwner(shop, { features: { feature2: true } })
    const { paymentId, order: ordered } = await renew(shop, customer, ids.slice(0, 2), {
      features: { feature2: true },
    })
    const mail = await secondReceipt(shop, customer)
    expect(mail.text).toContain('10 days, 3 connections, Advertisement filter, extends Hedgerow 1 and 2.')
    expect(mail.text).toMatch(/Hedgerow 1 and 2 now end on \d\d\/\d\d\/\d{4} \d\d:\d\d \(UK time\)\./)
    expect(mail.text).toContain('Hedgerow 1 and 2 keep their keys, so there is nothing to import again.')
    // Of the three, one is new and has to be imported.
    expect(mail.text).toMatch(/Works until: \d\d\/\d\d\/\d{4}/)
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    const shown = body.find((one: Json) => one._id === paymentId)
    expect(shown.description).toBe('10 days, 3 connections, extends Hedgerow 1 and 2')
    const { body: data } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    const exported = data.orders.find((one: Json) => one.orderId === ordered.orderId)
    expect(exported.renew.map(({ _id }: Json) => _id)).toEqual(ids.slice(0, 2))
  })
})
