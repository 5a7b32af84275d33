import { formatUkTime } from '@hedgerow/domain/dates'
import { linkIn, mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { remindOfEnds } from '#sales/renewals/remind-of-ends.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** A customer with three connections, and their ids. */
const anOwner = async (days = 30) => {
  const { customer, paymentId } = await aPurchase(shop, { days })
  const ids = (await connectionsOf(shop, paymentId)).map(({ id }) => id)
  return { customer, paymentId, ids }
}

/** Lets the time go by until connections have so many days left. */
const leave = (ids: readonly string[], days: number) =>
  sql`
    with gone as (
      select id, expires_at - now() - ${days}::float * interval '24 hours' as time from connections
      where id = any(${ids}::uuid[])
    ),
    moved as (
      update renewals set created_at = created_at - gone.time from gone where gone.id = connection_id
    )
    update connections set expires_at = expires_at - gone.time, created_at = created_at - gone.time
    from gone where gone.id = connections.id`.execute(shop.db)

const SUBJECT = /end(s)? soon$/

const mailsTo = async ({ email }: Pick<TestCustomer, 'email'>) => {
  await remindOfEnds(shop)
  await queueIsEmpty(shop)
  return (await mailbox(shop).list(email, ' soon')).filter(({ subject }) => SUBJECT.test(subject))
}

const endOf = async (id: string) =>
  (
    await shop.db
      .selectFrom('connections')
      .select('expires_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).expires_at as Date

describe('a reminder', () => {
  test('comes 3 days and 1 day before the end, once each, for all that end together', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 3.01)
    expect(await mailsTo(customer)).toHaveLength(0)
    await leave(ids, 2.99)
    expect(await mailsTo(customer)).toHaveLength(1)
    expect(await mailsTo(customer)).toHaveLength(1)
    const mail = await mailbox(shop).latest(customer.email, 'soon')
    expect(mail.subject).toBe('Hedgerow 1, 2 and 3 end soon')
    expect(mail.text).toContain(`Hedgerow 1, 2 and 3 end on ${formatUkTime(await endOf(ids[0] ?? ''))}.`)
    expect(linkIn(mail, '/products')).toBe(`${shop.settings.publicUrl}/products?renew=${ids.join()}`)
    await leave(ids, 1.01)
    expect(await mailsTo(customer)).toHaveLength(1)
    await leave(ids, 0.99)
    expect(await mailsTo(customer)).toHaveLength(2)
    await leave(ids, -0.1)
    expect(await mailsTo(customer)).toHaveLength(2)
  })

  test('comes once when many look at once, and when the round comes by itself too', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => anOwner()))
    for (const { ids } of owners) await leave(ids, 2.5)
    await Promise.all([...Array.from({ length: 6 }, () => remindOfEnds(shop)), hurry(shop, 'remind-of-ends')])
    for (const { customer } of owners) expect(await mailsTo(customer)).toHaveLength(1)
  })

  test('is there with its mark, or neither is', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 2.5)
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'the queue is gone'; end $$`.execute(
      shop.db,
    )
    await sql`create trigger refuse before insert on graphile_worker._private_jobs for each row
      when (new.payload::text like '%connectionIds%') execute function refuse()`.execute(shop.db)
    await expect(remindOfEnds(shop)).rejects.toThrow('the queue is gone')
    await sql`drop trigger refuse on graphile_worker._private_jobs`.execute(shop.db)
    expect(await mailsTo(customer)).toHaveLength(1)
  })

  test.each([
    [1, 0.9, 0],
    [3, 2.9, 0],
    [3, 0.9, 1],
    [4, 2.9, 1],
  ])('of what was bought for %i days, with %d left: %i', async (days, left, expected) => {
    const { customer, ids } = await anOwner(days)
    await leave(ids, left)
    expect(await mailsTo(customer)).toHaveLength(expected)
  })

  test('that was missed for a while comes as the later one only', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 0.5)
    expect(await mailsTo(customer)).toHaveLength(1)
    expect(await mailsTo(customer)).toHaveLength(1)
  })

  test('tells of those that end the same day in one mail, and of others in their own', async () => {
    const { customer, ids } = await anOwner()
    const noon = sql`date_trunc('day', now() at time zone 'Europe/London') at time zone 'Europe/London'`
    await sql`update connections set created_at = now() - interval '40 days', expires_at = case id
        when ${ids[0]}::uuid then ${noon} + interval '2 days 1 hour'
        when ${ids[1]}::uuid then ${noon} + interval '2 days 23 hours'
        else ${noon} + interval '20 days' end
      where id = any(${ids}::uuid[])`.execute(shop.db)
    expect(await mailsTo(customer)).toHaveLength(1)
    const mail = await mailbox(shop).latest(customer.email, 'soon')
    expect(mail.subject).toBe('Hedgerow 1 and 2 end soon')
    expect(mail.text).toContain(`Hedgerow 1 ends on ${formatUkTime(await endOf(ids[0] ?? ''))}.`)
    expect(mail.text).toContain(`Hedgerow 2 ends on ${formatUkTime(await endOf(ids[1] ?? ''))}.`)
    expect(linkIn(mail, '/products')).toMatch(new RegExp(`renew=${ids[0]},${ids[1]}$`))
  })

  test('comes no more once they are extended, until the new end nears', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 2.5)
    expect(await mailsTo(customer)).toHaveLength(1)
    await aPurchase(shop, { days: 10, renew: ids }, {}, customer)
    expect(await mailsTo(customer)).toHaveLength(1)
    await leave(ids, 2.5)
    expect(await mailsTo(customer)).toHaveLength(2)
  })

  test('that is queued tells nothing of what was extended meanwhile', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 2.5)
    await sql`update connections set reminded_days = 3 where id = any(${ids}::uuid[])`.execute(shop.db)
    await aPurchase(shop, { days: 10, renew: ids.slice(1) }, {}, customer)
    const payload = JSON.stringify({ customerId: customer.id, connectionIds: ids })
    await sql`select graphile_worker.add_job('mail-reminder', ${payload}::json)`.execute(shop.db)
    await queueIsEmpty(shop)
    expect((await mailbox(shop).latest(customer.email, 'soon')).subject).toBe('Hedgerow 1 ends soon')
  })

  test('does not come for what was revoked, nor for what never ends', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 2.5)
    await sql`update peers set removed_at = now() where connection_id = any(${ids.slice(0, 2)}::uuid[])`.execute(
      shop.db,
    )
    await sql`update connections set expires_at = null where id = ${ids[2]}`.execute(shop.db)
    expect(await mailsTo(customer)).toHaveLength(0)
  })

  test('does not come once the account is gone', async () => {
    const { customer, ids } = await anOwner()
    await leave(ids, 2.5)
    await eraseAccount(shop, customer)
    expect(await mailsTo(customer)).toHaveLength(0)
  })

  test('names no more connections in its link than an order extends', async () => {
    const customer = await aCustomer(shop)
    for (const connections of [13, 5]) {
      const { paymentId } = await aPurchase(shop, { connections }, {}, customer)
      await leave(
        (await connectionsOf(shop, paymentId)).map(({ id }) => id),
        2.5,
      )
    }
    expect(await mailsTo(customer)).toHaveLength(1)
    const mail = await mailbox(shop).latest(customer.email, 'soon')
    expect(mail.subject).toBe('18 of your connections end soon')
    expect(linkIn(mail, '/products').split('renew=')[1]?.split(',')).toHaveLength(13)
  })
})
