import { randomUUID } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { issueCreditNotesOf, issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { noted, notesOf, paidTwice, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { invoiced } from '#testing/disputes.ts'
import { hurry } from '#testing/jobs.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, payByBlik, startBy } from '#testing/payment-methods.ts'
import { aPurchase, paymentRow, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { startTestShop } from '#testing/test-shop.ts'

test('parts of a payment that go back have a credit note each, which add up to the invoice', async () => {
  const shop = await startTestShop()
  const { paymentId, order } = await aPurchase(shop)
  await refund(shop, paymentId, '3.33')
  await refund(shop, paymentId, '1.11')
  await refund(shop, paymentId)
  const notes = await noted(shop, paymentId, 3)
  expect(notes.map(({ number }) => number)).toEqual([1, 2, 3])
  const { snapshot, issued_at } = await shop.db
    .selectFrom('invoices')
    .select(['snapshot', 'issued_at'])
    .where('order_id', '=', order.orderId)
    .executeTakeFirstOrThrow()
  for (const sum of ['totalMinor', 'netMinor', 'vatMinor'] as const)
    expect(notes.reduce((all, note) => all + note.snapshot[sum], 0)).toBe(snapshot[sum])
  expect(snapshot.paidAt).toBe((await paymentRow(shop, paymentId)).ended_at?.toISOString())
  expect(notes.map((note) => note.snapshot.invoice.issuedAt)).toEqual(
    notes.map(() => issued_at.toISOString()),
  )
  // A second process that issues them, too, finds nothing left.
  await Promise.all([issueDueCreditNotes(shop), issueDueCreditNotes(shop)])
  expect(await notesOf(shop, paymentId)).toHaveLength(3)
  await expect(shop.db.updateTable('credit_notes').set({ year: 1 }).execute()).rejects.toThrow(
    'a credit note that was issued is never changed',
  )
})

test('money that came twice for an order, and went back, takes nothing off its invoice', async () => {
  const shop = await startTestShop()
  const { first, second } = await paidTwice(shop)
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return (await refundsOf(shop, first))[0]?.is_noted
  })
  expect(await notesOf(shop, first)).toEqual([])
  await refund(shop, second)
  expect((await noted(shop, second, 1))[0]?.number).toBe(1)
})

test('what went back in złoty beyond what was charged is on no credit note', async () => {
  const shop = await startTestShop()
  const customer = await aCustomer(shop)
  const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
  await reached(shop, paymentId, 'awaiting redirect result')
  await answerElsewhere(shop, paymentId)
  await reached(shop, paymentId, 'Success')
  await invoiced(shop, paymentId)
  const { charged_minor } = await paymentRow(shop, paymentId)
  const sums = [charged_minor - 500, charged_minor, 700]
  await shop.db
    .insertInto('refunds')
    .values(
      sums.map((amount_minor, day) => ({
        ...{ id: randomUUID(), payment_id: paymentId, amount_minor, reason: 'operator' as const },
        ...{ status: 'Success' as const, ended_at: new Date(Date.UTC(2026, 0, 2 + day)), is_by_hand: true },
      })),
    )
    .execute()
  await issueCreditNotesOf(shop, paymentId)
  const notes = await notesOf(shop, paymentId)
  expect(notes.map(({ snapshot }) => snapshot.charged?.minor)).toEqual([charged_minor - 500, 500])
})

test('refunds of two years that two processes note at once take no more off than the invoice', async () => {
  const shop = await startTestShop()
  const { paymentId } = await aPurchase(shop)
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return (await paymentRow(shop, paymentId)).is_invoiced
  })
  const year = new Date().getFullYear()
  // Together more than came, as where the gateway has given some back by itself.
  const refundOf = (status: 'Pending' | 'Success', ended_at: Date | null) => ({
    ...{ id: randomUUID(), payment_id: paymentId, amount_minor: 2000, reason: 'operator' as const },
    ...{ status, ended_at, is_by_hand: true },
  })
  const early = refundOf('Pending', null)
  const late = refundOf('Success', new Date(Date.UTC(year + 1, 5, 1)))
  await shop.db.insertInto('refunds').values([early, late]).execute()
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = shop.db.transaction().execute(async (trx) => {
    await trx.selectFrom('refunds').select('id').where('id', '=', late.id).forUpdate().execute()
    held.resolve()
    await end.promise
  })
  await held.promise
  const first = issueCreditNotesOf(shop, paymentId)
  await until(() => areWaiting(shop))
  // It began earlier, and is there later.
  await shop.db
    .updateTable('refunds')
    .set({ status: 'Success', ended_at: new Date(Date.UTC(year, 0, 2)) })
    .where('id', '=', early.id)
    .execute()
  const second = issueCreditNotesOf(shop, paymentId)
  await until(() => areWaiting(shop, 2))
  end.resolve()
  await Promise.all([other, first, second])
  const notes = await notesOf(shop, paymentId)
  expect(notes.map(({ snapshot }) => snapshot.totalMinor)).toEqual([1000, 2000])
})
