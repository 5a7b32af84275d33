import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteOldBuyers } from '#sales/orders/erased-buyers.ts'
import { cancel } from '#testing/cancellations.ts'
import { aCustomer, eraseAccount, type Leaver } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, postpone, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import {
  aPurchase,
  aWaitingPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const erase = (who: Leaver) => eraseAccount(shop, who)
const customerRow = (id: string) =>
  shop.db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst()
const orderRow = (id: string) =>
  shop.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

/** Whom the order's invoice names; undefined while there is none. */
const holderOnInvoice = async ({ db }: Pick<TestShop, 'db'>, { orderId }: Pick<TestOrder, 'orderId'>) => {
  const row = await db
    .selectFrom('invoices')
    .select('snapshot')
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row?.snapshot.cardHolder
}

/** A shop in which the round that issues invoices is an hour away. */
const aShopBeforeInvoicing = async () => {
  const own = await startTestShop()
  await postpone(own, 'issue-invoices')
  return own
}

/** Jobs of that name wait for an hour from now on. */
const putOff = ({ db }: Pick<TestShop, 'db'>, job: string) =>
  sql`create function put_off() returns trigger language plpgsql as $$ begin
      if new.task_id = (select id from graphile_worker._private_tasks where identifier = '${sql.raw(job)}')
        then new.run_at := now() + interval '1 hour'; end if;
      return new; end $$;
    create trigger put_off before insert on graphile_worker._private_jobs for each row execute function put_off()`.execute(
    db,
  )

/** A payment of an erased account that the gateway had declined. */
const anErasedDecline = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  const sum = { paymentId, amountMinor: 3000, currency: 'EUR' }
  await sendUpdate(shop, { ...sum, status: 'decline' })
  expect((await erase(customer)).status).toBe(200)
  return { paymentId, order, sum }
}

describe('an account that paid is erased:', () => {
  test('keeps what was paid without the person, and nothing that was never paid for', async () => {
    const { customer, order, paymentId } = await aPurchase(shop)
    const unpaid = await anOrder(shop, customer)
    await erase(customer)
    expect(await orderRow(order.orderId)).toMatchObject({
      customer_id: null,
      status: 'Completed',
      total_minor: 3000,
    })
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      customer_id: null,
      card_holder: null,
      status: 'Success',
      refund_due: false,
    })
    expect(await orderRow(unpaid.orderId)).toBeUndefined()
  })

  test('the invoices are issued before, and name who paid', async () => {
    const own = await aShopBeforeInvoicing()
    const { customer, order } = await aPurchase(own, {}, { card_holder: 'AUGUSTA BYRON' })
    const second = await aPurchase(own, {}, { card_holder: 'A KING' }, customer)
    const other = await aPurchase(own)
    expect(await holderOnInvoice(own, order)).toBeUndefined()
    expect((await eraseAccount(own, customer)).status).toBe(200)
    expect(await holderOnInvoice(own, order)).toBe('AUGUSTA BYRON')
    expect(await holderOnInvoice(own, second.order)).toBe('A KING')
    expect(await holderOnInvoice(own, other.order)).toBeUndefined()
    await hurry(own, 'issue-invoices')
    await until(async () => (await holderOnInvoice(own, other.order)) === 'ADA LOVELACE')
    expect(await holderOnInvoice(own, order)).toBe('AUGUSTA BYRON')
    const { rows } = await sql<{ numbers: number[] }>`
      select array_agg(number order by number) as numbers from invoices`.execute(own.db)
    expect(rows).toEqual([{ numbers: [1, 2, 3] }])
  })

  test.each<[string, string, string]>([
    ['an invoice', 'mail-receipt', 'Your receipt'],
    ['a cancellation', 'mail-cancellation', 'You have cancelled'],
    ['a refund', 'mail-refund', 'We have refunded'],
  ])('%s that was not mailed yet goes to the address it was bought with', async (_, job, subject) => {
    const own = await aShopBeforeInvoicing()
    const { customer, order, paymentId } = await aPurchase(own)
    const kept = async () =>
      (await sql`select from erased_buyers where order_id = ${order.orderId}`.execute(own.db)).rows.length
    if (job === 'mail-receipt') await putOff(own, job)
    else {
      await hurry(own, 'issue-invoices')
      await mailbox(own).latest(customer.email, 'Your receipt')
      await queueIsEmpty(own)
      await putOff(own, job)
      expect((await cancel(own, customer, paymentId)).status).toBe(200)
      await until(async () => (await paymentRow(own, paymentId)).refunded_minor > 0)
    }
    await sql`insert into email_changes (id, customer_id, old_email, new_email, asked_at, expires_at, changed_at, undo_until)
      values (gen_random_uuid(), ${customer.id}, ${customer.email}, 'new@example.org', now(), now(), now(), now())`.execute(
      own.db,
    )
    await sql`update customers set email = 'new@example.org' where id = ${customer.id}`.execute(own.db)
    expect((await eraseAccount(own, { ...customer, email: 'new@example.org' })).status).toBe(200)
    await hurry(own, job)
    const { text, attachments } = await mailbox(own).latest(customer.email, subject)
    expect(text).not.toMatch(/are ready|Open my/)
    if (job === 'mail-receipt') expect(attachments.map(({ filename }) => filename)).toContain('invoice.pdf')
    expect(await kept()).toBe(1)
    await queueIsEmpty(own)
    await deleteOldBuyers(own.db)
    expect(await kept()).toBe(0)
  })

  test('no address is kept where all was mailed', async () => {
    const { customer, order } = await aPurchase(shop)
    await hurry(shop, 'issue-invoices')
    await mailbox(shop).latest(customer.email, 'Your receipt')
    await queueIsEmpty(shop)
    expect((await erase(customer)).status).toBe(200)
    const { rows } = await sql`select from erased_buyers where order_id = ${order.orderId}`.execute(shop.db)
    expect(rows).toHaveLength(0)
  })

  test('waits for a payment that is under way', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect(expectProblem(await erase(customer), 409).body.detail).toMatch(/still under way/)
    expect((await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).status).toBe(200)
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'decline' })
    expect((await erase(customer)).status).toBe(200)
  })

  test('never leaves a payment under way or an order behind, whatever is bought in the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const customer = await aCustomer(shop)
      const order = await anOrder(shop, customer)
      const [erased, paid, ordered] = await Promise.all([
        erase(customer),
        pay(shop, customer, order),
        shop.call('POST', '/api/v1/orders', {
          token: customer.token,
          body: { ...order, orderId: undefined },
        }),
      ])
      expect([200, 409]).toContain(erased.status)
      expect([200, 401, 404]).toContain(paid.status)
      expect([201, 401]).toContain(ordered.status)
      if (erased.status === 200) {
        expect(await customerRow(customer.id)).toBeUndefined()
        if (paid.status === 200) {
          await reached(shop, paid.body.paymentId, 'Success')
          expect(await holderOnInvoice(shop, order)).toBe('ADA LOVELACE')
        }
      } else {
        await reached(shop, paid.body.paymentId, 'Success')
        expect(await connectionsOf(shop, paid.body.paymentId)).toHaveLength(3)
      }
    }
  })
})

describe('an update of a payment whose customer is erased:', () => {
  test('a late success is recorded and marked for a refund, and delivers nothing', async () => {
    const { paymentId, order, sum } = await anErasedDecline()
    const replies = await Promise.all(
      Array.from({ length: 3 }, () => sendUpdate(shop, { ...sum, status: 'success' })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      status: 'Success',
      refund_due: true,
      customer_id: null,
      card_holder: null,
    })
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    expect((await orderRow(order.orderId))?.status).toBe('Rejected')
  })

  test('a late repeat changes nothing', async () => {
    const { paymentId, sum } = await anErasedDecline()
    const before = await paymentRow(shop, paymentId)
    expect((await sendUpdate(shop, { ...sum, status: 'decline' })).status).toBe(200)
    expect(await paymentRow(shop, paymentId)).toEqual(before)
  })

  test('a paid order that waited for room is marked for a refund', async () => {
    const own = await startTestShop()
    const { customer, paymentId } = await aWaitingPurchase(own)
    expect((await eraseAccount(own, customer)).status).toBe(200)
    await own.db.updateTable('nodes').set({ is_open: true }).execute()
    await until(async () => {
      await hurry(own, 'deliver-payment')
      return (await paymentRow(own, paymentId)).refund_due
    })
    expect(await connectionsOf(own, paymentId)).toEqual([])
  })
})
