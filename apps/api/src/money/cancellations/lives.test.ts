import { DAY_MS } from '@hedgerow/domain/dates'
import type { Json } from '@hedgerow/testing/call'
import { fewOrAll } from '@hedgerow/testing/strength'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expireConnection } from '#network/connections/end-connection.ts'
import { cancel, letDaysPass } from '#testing/cancellations.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** Days that are left of one purchase in one connection, and those that went when it was ended by hand. */
type Left = { paymentId: string; days: number; lost: number }

/** A customer's purchases as they are used up day by day. */
type Life = {
  customer: TestCustomer
  payments: { id: string; age: number; isCancelled: boolean }[]
  connections: Map<string, Left[]>
}

const buy = async ({ customer, payments, connections }: Life, days: number, ids: string[]) => {
  const { paymentId } = await aPurchase(shop, { days, renew: ids }, {}, customer)
  payments.push({ id: paymentId, age: 0, isCancelled: false })
  const made = (await connectionsOf(shop, paymentId)).map(({ id }) => id)
  for (const id of [...ids, ...made])
    connections.set(id, [...(connections.get(id) ?? []), { paymentId, days, lost: 0 }])
}

const extendableOf = async ({ customer: { token } }: Life): Promise<string[]> => {
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
  return body.connections
    .filter(({ isRenewable }: Json) => isRenewable)
    .map(({ _id }: Json) => _id)
    .toSorted()
}

const wait = async (life: Life, days: number) => {
  await letDaysPass(shop, life.customer, days)
  for (const payment of life.payments) payment.age += days
  for (const purchases of life.connections.values()) {
    let passing = days
    for (const purchase of purchases) {
      const used = Math.min(passing, purchase.days)
      purchase.days -= used
      passing -= used
    }
  }
}

const endByHand = async ({ connections }: Life, which: number) => {
  const id = [...connections.keys()].toSorted()[which % connections.size] ?? ''
  await expireConnection(shop, id)
  for (const left of connections.get(id) ?? []) Object.assign(left, { days: 0, lost: left.lost + left.days })
}

/** What was not used of a payment goes back, also what was ended by hand; nothing after 14 days, and once. */
const cancelOne = async ({ customer, payments, connections }: Life, which: number) => {
  const payment = payments[which % payments.length]
  if (!payment) return
  const own = [...connections.values()].flat().filter(({ paymentId }) => paymentId === payment.id)
  const unused = own.reduce((sum, { days, lost }) => sum + days + lost, 0)
  const { status, body } = await cancel(shop, customer, payment.id)
  if (payment.isCancelled) return expect(status).toBe(200)
  if (payment.age > 14 || unused === 0) return expect(status).toBe(409)
  expect(status, JSON.stringify(body)).toBe(200)
  // A day of three connections costs a euro.
  expect(Math.abs(body.refund - unused / 3)).toBeLessThan(0.02)
  payment.isCancelled = true
  for (const left of own) left.days = 0
}

const A_MINUTE = 1 / 1440

const expectEnds = async ({ customer, connections }: Life) => {
  const rows = await shop.db
    .selectFrom('connections')
    .select(['id', 'expires_at', sql<Date>`now()`.as('now')])
    .where('customer_id', '=', customer.id)
    .execute()
  for (const { id, expires_at, now } of rows) {
    const left = Math.max(0, (Number(expires_at) - now.getTime()) / DAY_MS)
    const expected = (connections.get(id) ?? []).reduce((sum, { days }) => sum + days, 0)
    expect(Math.abs(left - expected), `${id}: ${left} left, not ${expected}`).toBeLessThan(A_MINUTE)
  }
}

const which = fc.nat(20)
const days = fc.integer({ min: 1, max: 40 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('renew' as const),
      days,
      picks: fc.uniqueArray(fc.nat(8), { maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), which }) },
)

test('whatever is bought, used, ended and cancelled, each connection has the days that are left, and what was not used goes back', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 11 }), async (steps) => {
      const life: Life = { customer: await aCustomer(shop), payments: [], connections: new Map() }
      await buy(life, 20, [])
      for (const one of steps) {
        if (one.kind === 'wait') await wait(life, one.days)
        if (one.kind === 'cancel') await cancelOne(life, one.which)
        if (one.kind === 'end') await endByHand(life, one.which)
        if (one.kind === 'renew') {
          const own = await extendableOf(life)
          const ids = new Set(
            one.picks.map((pick) => own[pick % own.length]).filter((id) => id !== undefined),
          )
          await buy(life, one.days, [...ids])
        }
        await expectEnds(life)
      }
    }),
    { numRuns: fewOrAll(2, 8), endOnFailure: true },
  )
})
