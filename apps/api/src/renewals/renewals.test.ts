import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import type { Json } from '@hedgerow/testing/call'
import { aCustomer, eraseAccount, type TestCustomer } from '@hedgerow/testing/customers'
import { sendNews } from '@hedgerow/testing/gateway'
import { hurry, queueIsEmpty } from '@hedgerow/testing/jobs'
import { mailbox } from '@hedgerow/testing/mailbox'
import { anOrder, anOrderBody, type Choice } from '@hedgerow/testing/orders'
import {
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '@hedgerow/testing/payments'
import { planFor, startSale } from '@hedgerow/testing/plans'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { refundsOf } from '@hedgerow/testing/refunds'
import { shopOfFile, startTestShop, type TestShop } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '@hedgerow/testing/ways-to-pay'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#payments/refunds.ts'

const shop = shopOfFile()

const listOf = async (
  where: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
): Promise<Json[]> => (await where.call('GET', '/api/v1/user/profile', { token })).body.connections

/** A customer with three connections for 30 days. */
const anOwner = async (choice: Partial<Choice> = {}, where: TestShop = shop) => {
  const { customer, paymentId } = await aPurchase(where, choice)
  const rows = await connectionsOf(where, paymentId)
  return { customer, paymentId, ids: rows.map(({ id }) => id), rows }
}

const connectionRow = (id: string, where: Pick<TestShop, 'db'> = shop) =>
  where.db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const order = (token: string | undefined, body: unknown) =>
  shop.call('POST', '/api/v1/orders', { token, body })

/** Extends by card. */
const renew = (
  customer: TestCustomer,
  ids: readonly string[],
  choice: Partial<Choice> = {},
  where: TestShop = shop,
) => aPurchase(where, { days: 10, ...choice, renew: ids }, {}, customer)

const refundWhole = async (paymentId: string, where: TestShop = shop) => {
  await requestRefund(where, { paymentId })
  await until(async () => (await refundsOf(where, paymentId)).every(({ status }) => status === 'Success'))
}

const daysBetween = (from: Date | null | undefined, to: Date | null | undefined) =>
  ((to?.getTime() ?? Number.NaN) - (from?.getTime() ?? Number.NaN)) / DAY_MS

/** Of two invoices the one with the higher number; their mails come in whatever order. */
const secondReceipt = async ({ email }: TestCustomer) => {
  const mails = mailbox(shop)
  const both = await until(async () => {
    await hurry(shop, 'issue-invoices')
    const list = await mails.list(email, 'Your receipt')
    return list.length === 2 && list
  })
  const subjects = both.map(({ subject }) => subject).toSorted()
  return mails.latest(email, subjects[1] ?? '')
}

const moveEnd = (id: string, days: number) =>
  sql`update connections set expires_at = now() + ${days}::float * interval '24 hours',
    created_at = now() - interval '60 days' where id = ${id}`.execute(shop.db)

describe('POST /api/v1/orders that extends', () => {
  test('is taken at the usual price, and says what it extends', async () => {
    const { customer, ids, rows } = await anOwner()
    const body = anOrderBody({ days: 30, connections: 4, renew: [ids[1] ?? '', ids[0] ?? ''] })
    expect(body.total).toBe(30.1)
    const reply = await order(customer.token, body)
    expect(reply.status).toBe(201)
    const told = await shop.call('GET', `/api/v1/orders/${reply.body.orderId}`, { token: customer.token })
    expect(told.body.renew).toEqual([
      { _id: ids[1], name: rows[1]?.name },
      { _id: ids[0], name: rows[0]?.name },
    ])
    const { body: listed } = await shop.call('GET', '/api/v1/orders', { token: customer.token })
    expect(listed[0].renew).toEqual(told.body.renew)
    expect(listed[1].renew).toEqual([])
  })

  test('refuses another’s connection as one that there never was', async () => {
    const [{ ids }, eve] = await Promise.all([anOwner(), aCustomer(shop)])
    const theirs = expectProblem(await order(eve.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
    const unknown = expectProblem(await order(eve.token, anOrderBody({ renew: [randomUUID()] })), 422)
    expect(messageFor(theirs, 'renew')).toBe(messageFor(unknown, 'renew'))
    expect(messageFor(theirs, 'renew')).toBeDefined()
    expect((await shop.call('GET', '/api/v1/orders', { token: eve.token })).body).toEqual([])
  })

  test('refuses one that never ends', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, await planFor('Ethernity'))
    await reached(shop, paymentId, 'Success')
    const [forever] = await connectionsOf(shop, paymentId)
    const refused = expectProblem(
      await order(customer.token, anOrderBody({ renew: [forever?.id ?? ''] })),
      422,
    )
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test('refuses one whose money was given back', async () => {
    const { customer, paymentId, ids } = await anOwner()
    await refundWhole(paymentId)
    const refused = expectProblem(await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
    expect(messageFor(refused, 'renew')).toBeDefined()
  })

  test('takes one that has ended', async () => {
    const { customer, ids } = await anOwner()
    await moveEnd(ids[0] ?? '', -20)
    expect((await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] }))).status).toBe(201)
  })

  test('wants every option of every chosen connection, and says whose', async () => {
    const { customer, ids } = await anOwner({ features: { feature1: true, feature3: true } })
    const few = anOrderBody({ features: { feature3: true, feature4: true }, renew: [ids[2] ?? ''] })
    const refused = expectProblem(await order(customer.token, few), 422)
    expect(messageFor(refused, 'features')).toContain('Hedgerow 3')
    const enough = anOrderBody({ features: { feature1: true, feature3: true, feature4: true }, renew: ids })
    expect((await order(customer.token, enough)).status).toBe(201)
  })

  const aDozen = Array.from({ length: 14 }, () => randomUUID())
  test.each<[string, number, unknown]>([
    ['14 ids', 13, aDozen],
    ['more than are bought', 3, aDozen.slice(0, 4)],
    ['the same twice', 3, [aDozen[0], aDozen[0]]],
    ['the same twice, written otherwise', 3, [aDozen[0], aDozen[0]?.toUpperCase()]],
    ['no id', 3, ['one']],
    ['a number', 3, [1]],
    ['null', 3, null],
    ['a text', 3, aDozen[0]],
    ['200 ids', 13, Array.from({ length: 200 }, () => randomUUID())],
  ])('refuses %s', async (_, connections, chosen) => {
    const { token } = await aCustomer(shop)
    const refused = expectProblem(await order(token, { ...anOrderBody({ connections }), renew: chosen }), 422)
    expect(refused.body.errors.map(({ path }: { path: string }) => path.split('.')[0])).toContain('renew')
  })

  test('refuses what is too large, and asks who calls first', async () => {
    const { token } = await aCustomer(shop)
    const huge = { ...anOrderBody(), renew: Array.from({ length: 40_000 }, () => randomUUID()) }
    expectProblem(await order(token, huge), 413)
    expectProblem(await order(undefined, anOrderBody({ renew: [randomUUID()] })), 401)
  })
})

describe('a payment that extends', () => {
  const ways: [string, (customer: TestCustomer, ids: string[]) => Promise<string>][] = [
    ['by card', async (customer, ids) => (await renew(customer, ids)).paymentId],
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
    const { customer, ids, rows } = await anOwner({ features: {} })
    const before = await listOf(shop, customer)
    const chosen = ids.slice(0, 2)
    const paymentId = await pay(customer, chosen)
    const after = await listOf(shop, customer)
    expect(after).toHaveLength(4)
    for (const old of before) {
      const now = after.find(({ _id }) => _id === old._id)
      const { expirationDate, ...same } = now
      expect(old).toMatchObject(same)
      const added = daysBetween(new Date(old.expirationDate), new Date(expirationDate))
      expect(added).toBe(chosen.includes(old._id) ? 10 : 0)
    }
    expect((await connectionsOf(shop, paymentId)).map(({ name, ordinal }) => [name, ordinal])).toEqual([
      ['Hedgerow 4', 1],
    ])
    expect(rows.map(({ name }) => name)).toEqual(['Hedgerow 1', 'Hedgerow 2', 'Hedgerow 3'])
  })

  test('starts from now where the end has passed, and tells the node', async () => {
    const { customer, ids } = await anOwner()
    const id = ids[0] ?? ''
    await moveEnd(id, -5)
    await sql`update peers set revision = 7 where connection_id = any(${ids}::uuid[])`.execute(shop.db)
    const { paymentId } = await renew(customer, [id])
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(daysBetween(ended_at, (await connectionRow(id)).expires_at)).toBeCloseTo(10, 5)
    const { rows } = await sql<{ id: string }>`
      select connection_id as id from peers where connection_id = any(${ids}::uuid[]) and revision is null`.execute(
      shop.db,
    )
    expect(rows).toEqual([{ id }])
  })

  test('switches an option on that it adds, and leaves filters off that the customer has switched off', async () => {
    const { customer, ids } = await anOwner({ features: { feature2: true } })
    await sql`update connections set ad_filter_on = false where id = ${ids[0]}`.execute(shop.db)
    await renew(customer, [ids[0] ?? ''], { features: { feature2: true, feature4: true } })
    expect(await connectionRow(ids[0] ?? '')).toMatchObject({
      ad_filter: true,
      ad_filter_on: false,
      family_filter: true,
      family_filter_on: true,
      malware_filter: false,
    })
  })

  test('extends all of them without any address, when every node is full', async () => {
    const small = await startTestShop()
    await sql`update nodes set ipv4 = '10.9.0.0/29', ipv6 = 'fd09::/64'`.execute(small.db)
    const { customer, ids, rows } = await anOwner({}, small)
    const { paymentId } = await renew(customer, ids, {}, small)
    expect((await paymentRow(small, paymentId)).delivered_at).not.toBeNull()
    for (const [i, id] of ids.entries())
      expect(daysBetween(rows[i]?.expires_at, (await connectionRow(id, small)).expires_at)).toBe(10)
    // There is room for two more: one that is extended leaves room for two new ones.
    const { paymentId: next } = await renew(customer, [ids[0] ?? ''], {}, small)
    expect(await connectionsOf(small, next)).toHaveLength(2)
    // A last one waits for room: nothing of it is extended before.
    const waiting = await renew(customer, ids.slice(0, 2), {}, small)
    expect((await paymentRow(small, waiting.paymentId)).delivered_at).toBeNull()
    expect(daysBetween(rows[1]?.expires_at, (await connectionRow(ids[1] ?? '', small)).expires_at)).toBe(10)
    await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
      values (gen_random_uuid(), 'second', '192.0.2.2:51820', 'k', '10.10.0.0/24', 'fd10::/64')`.execute(
      small.db,
    )
    await until(async () => {
      await hurry(small, 'deliver-payment')
      return (await paymentRow(small, waiting.paymentId)).delivered_at
    })
    expect(await connectionsOf(small, waiting.paymentId)).toHaveLength(1)
    expect(daysBetween(rows[1]?.expires_at, (await connectionRow(ids[1] ?? '', small)).expires_at)).toBe(20)
  })

  test.each<[string, (ids: string[], paymentId: string) => Promise<unknown>]>([
    ['was deleted', ([id]) => sql`delete from connections where id = ${id}`.execute(shop.db)],
    [
      'was revoked',
      ([id]) => sql`update peers set removed_at = now() where connection_id = ${id}`.execute(shop.db),
    ],
    [
      'has got an option since',
      ([id]) => sql`update connections set ad_filter = true where id = ${id}`.execute(shop.db),
    ],
  ])('makes a new one in place of one that %s while it was under way', async (_, happens) => {
    const { customer, ids } = await anOwner()
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids.slice(0, 2) })
    const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const [gone, kept] = await Promise.all([connectionRow(ids[0] ?? ''), connectionRow(ids[1] ?? '')])
    await happens(ids, paymentId)
    await sendNews(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(2)
    const rest = await shop.db
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', ids[0] ?? '')
      .execute()
    for (const { expires_at } of rest) expect(expires_at).toEqual(gone.expires_at)
    expect(daysBetween(kept.expires_at, (await connectionRow(ids[1] ?? '')).expires_at)).toBe(10)
    const latest = await secondReceipt(customer)
    expect(latest.text).toContain('One connection could not be extended any more, so there is a new one')
    expect(latest.text).toContain('Hedgerow 2 goes on with the same keys')
  })

  test('adds up with others that extend the same connections at once', async () => {
    const { customer, ids, rows } = await anOwner()
    const all = await Promise.all(
      [1, 2, 4, 8, 16].map(async (days, i) => {
        const chosen = i % 2 ? ids : ids.toReversed()
        const ordered = await anOrder(shop, customer, { days, renew: chosen })
        const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
        await challengeOf(shop, paymentId)
        return { paymentId, amountMinor: days * 100 }
      }),
    )
    // Each success is told three times.
    const replies = await Promise.all(
      [...all, ...all, ...all].map((one) => sendNews(shop, { ...one, currency: 'EUR', status: 'success' })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    for (const [i, id] of ids.entries())
      expect(daysBetween(rows[i]?.expires_at, (await connectionRow(id)).expires_at)).toBe(31)
    expect(await listOf(shop, customer)).toHaveLength(3)
  })

  test('extends nothing for a second payment of the same order', async () => {
    const { customer, ids, rows } = await anOwner()
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids })
    const first = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    const second = await startPayment(shop, customer, ordered, { pan: CARDS.challenged, instead: first })
    await challengeOf(shop, second)
    await Promise.all(
      [first, second].map((paymentId) =>
        sendNews(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' }),
      ),
    )
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(ids[0] ?? '')).expires_at)).toBe(10)
    const due = await Promise.all([first, second].map((id) => paymentRow(shop, id)))
    expect(due.filter(({ refund_due }) => refund_due)).toHaveLength(1)
    // The one that goes back takes nothing with it.
    const paidTwice = due.find(({ refund_due }) => refund_due)?.id ?? ''
    await until(async () => (await refundsOf(shop, paidTwice))[0]?.status !== undefined)
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(ids[0] ?? '')).expires_at)).toBe(10)
  })

  test('gives the money back where the account was erased meanwhile', async () => {
    const { customer, ids } = await anOwner()
    const ordered = await anOrder(shop, customer, { days: 10, renew: ids })
    const paymentId = await startPayment(shop, customer, ordered, { pan: CARDS.declined })
    await reached(shop, paymentId, 'Decline')
    await queueIsEmpty(shop)
    await eraseAccount(shop, customer)
    await sendNews(shop, { paymentId, amountMinor: 1000, currency: 'EUR', status: 'success' })
    expect((await paymentRow(shop, paymentId)).refund_due).toBe(true)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('says on invoice, receipt and in the history what was extended', async () => {
    const { customer, ids } = await anOwner({ features: { feature2: true } })
    const { paymentId, order: ordered } = await renew(customer, ids.slice(0, 2), {
      features: { feature2: true },
    })
    const mail = await secondReceipt(customer)
    expect(mail.text).toContain('10 days, 3 connections, Advertisement filter, extends Hedgerow 1 and 2.')
    expect(mail.text).toMatch(/Hedgerow 1 and 2 now end on \d\d\/\d\d\/\d{4} \d\d:\d\d\./)
    expect(mail.text).toContain(
      'Hedgerow 1 and 2 go on with the same keys: there is nothing to import again.',
    )
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    const told = body.find((one: Json) => one._id === paymentId)
    expect(told.description).toBe('10 days, 3 connections, extends Hedgerow 1 and 2')
    const { body: data } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    const exported = data.orders.find((one: Json) => one.orderId === ordered.orderId)
    expect(exported.renew.map(({ _id }: Json) => _id)).toEqual(ids.slice(0, 2))
  })
})

describe('a refund', () => {
  test('of what extended takes its days and its options back, and nothing else', async () => {
    const { customer, ids, rows } = await anOwner()
    const { paymentId } = await renew(customer, [ids[0] ?? ''], { features: { feature2: true } })
    await sql`update peers set revision = 7 where connection_id = ${ids[0]}`.execute(shop.db)
    await refundWhole(paymentId)
    const row = await connectionRow(ids[0] ?? '')
    expect(row).toMatchObject({ ad_filter: false, ad_filter_on: false })
    expect(Math.abs(daysBetween(rows[0]?.expires_at, row.expires_at))).toBeLessThan(1e-6)
    const { rows: told } = await sql`select from peers where connection_id = ${ids[0]} and revision is null
      and removed_at is null`.execute(shop.db)
    expect(told).toHaveLength(1)
    const made = await connectionsOf(shop, paymentId)
    expect(
      made.every(({ expires_at, removed_at }) => expires_at && expires_at <= new Date() && removed_at),
    ).toBe(true)
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded')
    expect(mail.text).toMatch(/Hedgerow 1 now ends on \d\d\/\d\d\/\d{4}/)
    expect(mail.text).toContain('The other connections that it bought have ended.')
  })

  test('of the first purchase leaves what the extension bought', async () => {
    const { customer, ids, paymentId: first } = await anOwner()
    const { paymentId } = await renew(customer, [ids[0] ?? ''])
    await refundWhole(first)
    const [extended, other] = await Promise.all([connectionRow(ids[0] ?? ''), connectionRow(ids[1] ?? '')])
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(daysBetween(ended_at, extended.expires_at)).toBeCloseTo(10, 5)
    expect(Number(other.expires_at)).toBeLessThanOrEqual(Date.now())
    expect((await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] }))).status).toBe(201)
    await refundWhole(paymentId)
    expect(Number((await connectionRow(ids[0] ?? '')).expires_at)).toBeLessThanOrEqual(Date.now())
    expectProblem(await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
  })

  test('of the first purchase, long used up, changes nothing of what came after', async () => {
    const { customer, ids, paymentId: first } = await anOwner()
    const id = ids[0] ?? ''
    await moveEnd(id, -20)
    await renew(customer, [id])
    const before = await connectionRow(id)
    await refundWhole(first)
    expect(Math.abs(daysBetween(before.expires_at, (await connectionRow(id)).expires_at))).toBeLessThan(1e-6)
  })

  test('of a part leaves the days', async () => {
    const { customer, ids, rows } = await anOwner()
    const { paymentId } = await renew(customer, ids)
    await requestRefund(shop, { paymentId, amountMinor: 300 })
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(ids[0] ?? '')).expires_at)).toBe(10)
  })

  test('and an extension at once leave what the payments that stand bought', async () => {
    const { customer, ids, rows } = await anOwner()
    const { paymentId } = await renew(customer, ids)
    const ordered = await anOrder(shop, customer, { days: 5, renew: ids })
    const under = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, under)
    await Promise.all([
      refundWhole(paymentId),
      sendNews(shop, { paymentId: under, amountMinor: 500, currency: 'EUR', status: 'success' }),
    ])
    const row = await connectionRow(ids[0] ?? '')
    expect(Math.abs(daysBetween(rows[0]?.expires_at, row.expires_at) - 5)).toBeLessThan(1e-6)
  })
})
