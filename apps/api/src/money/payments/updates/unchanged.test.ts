import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  findPayment,
  type PaymentWithOrder,
  updatePaymentIfUnchanged,
} from '#money/payments/payments.queries.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

let read: PaymentWithOrder

beforeAll(async () => {
  const { paymentId } = await aPurchase(shop)
  // As one that waits for room.
  await shop.db.updateTable('payments').set({ delivered_at: null }).where('id', '=', paymentId).execute()
  read = (await findPayment(shop.db, paymentId)) as PaymentWithOrder
})

/** Whether a change that starts from what was read is made after this; all of it is taken back. */
const isMadeAfter = async (table: 'payments' | 'orders', change: string): Promise<boolean> => {
  const trx = await shop.db.startTransaction().execute()
  try {
    // So that each case changes one column only.
    await sql`alter table payments drop constraint received_buys_nothing`.execute(trx)
    await sql`update ${sql.table(table)} set ${sql.raw(change)}
      where id::text = ${table === 'orders' ? read.order_id : read.id}`.execute(trx)
    return await updatePaymentIfUnchanged(trx, read, { checks: 7 })
  } finally {
    await trx.rollback().execute()
  }
}

test('a payment that is as it was read is changed', async () => {
  expect(await isMadeAfter('payments', 'notified_at = now()')).toBe(true)
})

test.each([
  ['its bank disputes the money', 'payments', 'disputed_minor = 1'],
  ['a part has gone back', 'payments', 'refunded_minor = 1'],
  ['another sum was received', 'payments', "received_minor = 1200, received_currency = 'EUR'"],
  ['it has ended', 'payments', "status = 'Decline'"],
  ['it is cancelled', 'payments', 'cancelled_at = now(), cancelled_minor = 0'],
  ['it was delivered', 'payments', 'delivered_at = now()'],
  ['its account is gone', 'payments', 'customer_id = null'],
  ['the gateway has reported it', 'payments', 'gate_updated_at = now()'],
  ['the customer has something else to do', 'payments', `next_action = '{"kind":"redirect"}'`],
  ['its order has moved', 'orders', "status = 'New'"],
] as const)('nothing is done from what was read once %s', async (_, table, change) => {
  expect(await isMadeAfter(table, change)).toBe(false)
})
