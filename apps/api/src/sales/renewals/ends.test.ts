import { DAY_MS } from '@hedgerow/domain/dates'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import type { Json } from '@hedgerow/testing/call'
import { fewOrAll } from '@hedgerow/testing/strength'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteEndedConnections } from '#network/connections/connections.service.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { sendRefundUpdate } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

type Bought = { paymentId: string; at: number; days: number }

/** Days of one customer's life, and what they have bought of each connection. */
type Life = {
  customer: TestCustomer
  today: number
  payments: Map<string, { days: number; isRefunded: boolean }>
  connections: Map<string, Bought[]>
}

const buy = async ({ customer, payments, connections, today }: Life, days: number, ids: string[]) => {
  const { paymentId } = await aPurchase(shop, { days, renew: ids }, {}, customer)
  payments.set(paymentId, { days, isRefunded: false })
  const made = (await connectionsOf(shop, paymentId)).map(({ id }) => id)
  expect(made).toHaveLength(3 - ids.length)
  for (const id of [...ids, ...made])
    connections.set(id, [...(connections.get(id) ?? []), { paymentId, at: today, days }])
}

const extendableOf = async ({ customer: { token } }: Life): Promise<string[]> => {
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
  return body.connections
    .filter(({ isRenewable }: Json) => isRenewable)
    .map(({ _id }: Json) => _id)
    .toSorted()
}

const refund = async ({ payments }: Life, which: number) => {
  const entry = [...payments].filter(([, { isRefunded }]) => !isRefunded)[which % payments.size]
  if (!entry) return
  const [paymentId, payment] = entry
  payment.isRefunded = true
  const amountMinor = payment.days * 100
  expect((await sendRefundUpdate(shop, { paymentId, amountMinor, left: 0 })).status).toBe(200)
}

const wait = async (life: Life, days: number) => {
  life.today += days
  const time = sql`${days}::float * interval '24 hours'`
  const own = sql`(select id from connections where customer_id = ${life.customer.id})`
  await sql`update renewals set created_at = created_at - ${time} where connection_id in ${own}`.execute(
    shop.db,
  )
  await sql`update connections set created_at = created_at - ${time}, expires_at = expires_at - ${time}
    where id in ${own}`.execute(shop.db)
  await forgetLongEnded(life)
}

/** Done here as the shop does it every minute: else it would come between two steps, or not, as the machine likes. */
const forgetLongEnded = async ({ customer, connections }: Life) => {
  const listOwn = () =>
    shop.db
      .selectFrom('connections')
      .select(['id', sql<number>`(extract(epoch from now() - expires_at) / 86400)::float`.as('daysOver')])
      .where('customer_id', '=', customer.id)
      .execute()
  const before = await listOwn()
  await deleteEndedConnections(shop)
  const kept = new Set((await listOwn()).map(({ id }) => id))
  for (const { id, daysOver } of before) {
    expect(kept.has(id), `${id}: ended ${daysOver} days ago`).toBe(daysOver <= ENDED_KEPT_DAYS)
    if (!kept.has(id)) connections.delete(id)
  }
}

/** How many days are left today of what was bought and not given back. */
const daysLeft = ({ payments, connections, today }: Life, id: string): number => {
  const { at, left } = (connections.get(id) ?? [])
    .filter(({ paymentId }) => !payments.get(paymentId)?.isRefunded)
    .reduce((so, one) => ({ at: one.at, left: Math.max(0, so.left - (one.at - so.at)) + one.days }), {
      at: 0,
      left: 0,
    })
  return Math.max(0, left - (today - at))
}

const A_MINUTE = 1 / 1440

const expectEnds = async (life: Life) => {
  const rows = await shop.db
    .selectFrom('connections')
    .select(['id', 'expires_at', sql<Date>`now()`.as('now')])
    .where('customer_id', '=', life.customer.id)
    .execute()
  expect(rows).toHaveLength(life.connections.size)
  for (const { id, expires_at, now } of rows) {
    const left = Math.max(0, (Number(expires_at) - now.getTime()) / DAY_MS)
    expect(Math.abs(left - daysLeft(life, id)), `${id}: ${left} left`).toBeLessThan(A_MINUTE)
  }
}

const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('buy' as const), days: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('renew' as const),
      days: fc.integer({ min: 1, max: 60 }),
      picks: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(20) }) },
)

test('every connection ends when what the payments that stand bought is used up', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const life: Life = {
        customer: await aCustomer(shop),
        today: 0,
        payments: new Map(),
        connections: new Map(),
      }
      await buy(life, 20, [])
      for (const one of steps) {
        if (one.kind === 'buy') await buy(life, one.days, [])
        if (one.kind === 'wait') await wait(life, one.days)
        if (one.kind === 'refund') await refund(life, one.which)
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
    { numRuns: fewOrAll(2, 12), endOnFailure: true },
  )
})
