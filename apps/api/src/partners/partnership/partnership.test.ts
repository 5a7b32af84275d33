import { randomUUID } from 'node:crypto'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer, aSession, type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { anOrder } from '#testing/orders.ts'
import { settle } from '#testing/partners.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const partnershipOf = async ({ token }: Pick<TestCustomer, 'token'>) =>
  (await shop.call('GET', '/api/v1/partnership', { token })).body

const codeOf = async (partner: TestCustomer): Promise<string> => (await partnershipOf(partner)).promocode

const signUp = (referral?: unknown) => {
  const email = uniqueEmail()
  const body = { name: 'Grace', email, signupPassword: 'hedge sparrow 7', acceptTerms: true, referral }
  return shop.call('POST', '/api/v1/user/create', { body })
}

const rowOf = (email: string) =>
  shop.db
    .selectFrom('customers')
    .select(['id', 'referred_by'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

/** Someone who signed up with the code and has logged in. */
const aReferred = async (code: string): Promise<TestCustomer> => {
  const { email } = (await signUp(code)).body
  const { id } = await rowOf(email)
  return { id, email, name: 'Grace', password: '', token: await aSession(shop, id) }
}

const follow = (code: unknown) => shop.call('POST', '/api/v1/partnership/crossings', { body: { code } })

const paid = (buyer: TestCustomer, order: { orderId: string }, partner: TestCustomer) => ({
  id: randomUUID().replaceAll('-', ''),
  order_id: order.orderId,
  customer_id: buyer.id,
  partner_id: partner.id,
  method: 'card' as const,
  amount_minor: 3000,
  charged_minor: 3000,
  charged_currency: 'EUR' as const,
  currency: 'EUR' as const,
  status: 'Success' as const,
  ended_at: new Date(),
})

describe('GET /api/v1/partnership', () => {
  test('shows a new customer the first level, nothing yet, and how to begin', async () => {
    const customer = await aCustomer(shop)
    const reply = await shop.call('GET', '/api/v1/partnership', { token: customer.token })
    const { promocode } = reply.body
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        level: 1,
        usedPromocodes: 0,
        crossings: 0,
        percentage: 10,
        balances: [
          { currency: 'EUR', available: 0, pending: 0, requested: 0, paid: 0 },
          { currency: 'GBP', available: 0, pending: 0, requested: 0, paid: 0 },
        ],
        minimumWithdrawal: 250,
        minimumSpend: 1,
        holdDays: 14,
        promocode: expect.stringMatching(/^[A-Z2-9]{10}$/),
        referralLink: `${shop.url}/?ref=${promocode}`,
        transactions: 0,
        pendingTransactions: 0,
        nextLevel: { level: 2, transactions: 1, percentage: 15 },
      },
    ])
    const profile = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    expect(profile.body.promocode).toBe(promocode)
  })

  test('counts the completed payments of those who came by the code, and the level follows', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(await codeOf(partner))
    await aPurchase(shop, {}, {}, buyer)
    await creditPartners(shop)
    expect(await partnershipOf(partner)).toMatchObject({ level: 1, transactions: 0, pendingTransactions: 1 })
    await settle(shop, partner.id)
    expect(await partnershipOf(partner)).toMatchObject({
      transactions: 1,
      pendingTransactions: 0,
      level: 2,
      percentage: 15,
      nextLevel: { level: 3, transactions: 5, percentage: 20 },
    })
    expect(await partnershipOf(buyer)).toMatchObject({ transactions: 0, pendingTransactions: 0, level: 1 })
  })

  test('counts no order that waits, no payment that was declined, and none to be paid back', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(await codeOf(partner))
    const order = await anOrder(shop, buyer)
    await reached(shop, await startPayment(shop, buyer, order, { pan: CARDS.declined }), 'Decline')
    await shop.db
      .insertInto('payments')
      .values({ ...paid(buyer, order, partner), refund_due: true })
      .execute()
    await creditPartners(shop)
    expect(await partnershipOf(partner)).toMatchObject({ transactions: 0, level: 1 })
  })

  test("counts neither the partner's own payments nor those of people without a code", async () => {
    const partner = await aCustomer(shop)
    await aPurchase(shop, {}, {}, partner)
    await aPurchase(shop)
    await creditPartners(shop)
    expect(await partnershipOf(partner)).toMatchObject({ pendingTransactions: 0 })
  })

  test('reaches the highest level with 25 transactions, and then names no next one', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(await codeOf(partner))
    const order = await anOrder(shop, buyer)
    const rows = Array.from({ length: 25 }, () => paid(buyer, order, partner))
    await shop.db.insertInto('payments').values(rows).execute()
    await creditPartners(shop)
    await settle(shop, partner.id)
    const reply = await partnershipOf(partner)
    expect(reply).toMatchObject({ transactions: 25, level: 5, percentage: 30 })
    expect(reply).not.toHaveProperty('nextLevel')
  })

  test('is for customers', async () => {
    expectProblem(await shop.call('GET', '/api/v1/partnership'), 401)
  })
})

describe('POST /api/v1/partnership/crossings', () => {
  test('counts for the partner, in small letters too, and for no one else', async () => {
    const [partner, other] = [await aCustomer(shop), await aCustomer(shop)]
    const code = await codeOf(partner)
    await follow(code)
    expect((await follow(` ${code.toLowerCase()} `)).status).toBe(200)
    expect((await partnershipOf(partner)).crossings).toBe(2)
    expect((await partnershipOf(other)).crossings).toBe(0)
  })

  test('counts every one of many at once', async () => {
    const partner = await aCustomer(shop)
    const code = await codeOf(partner)
    await Promise.all(Array.from({ length: 20 }, () => follow(code)))
    expect((await partnershipOf(partner)).crossings).toBe(20)
  })

  test('waits for an account that is being deleted, and holds nothing that this wants', async () => {
    const partner = await aCustomer(shop)
    const code = await codeOf(partner)
    const crossing = await shop.db.transaction().execute(async (trx) => {
      await sql`select from customers where id = ${partner.id} for update`.execute(trx)
      const followed = follow(code)
      await until(() => areWaiting(shop))
      expect(await lockPartner(trx, partner.id)).toMatchObject({ customer_id: partner.id })
      return { followed }
    })
    expect((await crossing.followed).status).toBe(200)
    expect((await partnershipOf(partner)).crossings).toBe(1)
  })

  test('answers an unknown code as it answers a known one', async () => {
    const known = await follow(await codeOf(await aCustomer(shop)))
    const unknown = await follow('NOBODYS234')
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
  })

  test.each([undefined, '', 7, 'A'.repeat(33), "A' or 1=1", 'A\u0000B', {}])('refuses %j', async (code) => {
    expect(messageFor(expectProblem(await follow(code), 422), 'code')).toMatch(/./)
  })
})

describe('POST /api/v1/user/create with a referral', () => {
  test('remembers whose code it was', async () => {
    const partner = await aCustomer(shop)
    const reply = await signUp((await codeOf(partner)).toLowerCase())
    expect(reply.status).toBe(201)
    expect((await rowOf(reply.body.email)).referred_by).toBe(partner.id)
  })

  test.each([undefined, null, '', 'NOBODYS234', 'A'.repeat(500), 7, {}, ['A'], "A' or 1=1", 'A\u0000B'])(
    'opens the account all the same when the code is %j',
    async (referral) => {
      const reply = await signUp(referral)
      expect(reply.status, reply.text).toBe(201)
      expect((await rowOf(reply.body.email)).referred_by).toBeNull()
    },
  )

  test('keeps the account when the partner goes', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(await codeOf(partner))
    await follow(await codeOf(partner))
    await shop.db.deleteFrom('customers').where('id', '=', partner.id).execute()
    expect((await rowOf(buyer.email)).referred_by).toBeNull()
  })
})
