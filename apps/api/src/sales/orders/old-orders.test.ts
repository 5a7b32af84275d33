import { randomUUID } from 'node:crypto'
import { isoDay } from '@hedgerow/domain/dates'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteOldInvoices } from '#sales/invoices/invoices.queries.ts'
import { deleteOldSales, deleteUntriedOrders } from '#sales/orders/old-orders.ts'
import { aCustomer } from '#testing/customers.ts'
import { aCreditNote, anInvoice, type Books, openBooks } from '#testing/papers.ts'

const YEAR = Number(isoDay(new Date()).slice(0, 4))
const inYear = (years: number) => `${YEAR - years}-06-15T12:00:00.000Z`

const ordersLeft = async ({ db }: Books) =>
  (await db.selectFrom('orders').select('id').execute()).map(({ id }) => id).sort()

test('sales of accounts that are gone are deleted with the longest-kept invoices, and what hangs on them', async () => {
  const books = await openBooks()
  const { db } = books
  const [old, young, noted, owned] = [
    await anInvoice(books, { paidAt: inYear(11) }),
    await anInvoice(books, { paidAt: inYear(10) }),
    await anInvoice(books, { paidAt: inYear(11) }),
    await anInvoice(books, { paidAt: inYear(11) }),
  ]
  await sql`update orders set created_at = (select ended_at from payments where order_id = orders.id)`.execute(
    db,
  )
  await aCreditNote(books, noted, { refundedAt: inYear(6) })
  const { id } = await aCustomer({ db })
  await sql`update orders set customer_id = ${id} where id = ${owned.orderId}`.execute(db)
  await deleteOldSales(db)
  expect(await ordersLeft(books)).toHaveLength(4)
  await deleteOldInvoices(db)
  await deleteOldSales(db)
  expect(await ordersLeft(books)).toEqual([young.orderId, noted.orderId, owned.orderId].sort())
  for (const table of ['payments', 'refunds', 'payment_steps']) {
    const column = sql.ref(table === 'payments' ? 'id' : 'payment_id')
    const { rows } = await sql`select from ${sql.table(table)} where ${column} = ${old.paymentId}`.execute(db)
    expect(rows, table).toEqual([])
  }
})

test('an order that was never tried is deleted a month after its deadline', async () => {
  const books = await openBooks()
  const { db } = books
  const { id: customer } = await aCustomer({ db })
  const anOrder = async (endedDaysAgo: number) => {
    const id = randomUUID()
    await sql`insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
      values (${id}, ${customer}, 30, 3, 0, 3000, 'EUR', now() - make_interval(days => ${endedDaysAgo}))`.execute(
      db,
    )
    return id
  }
  const kept = await anOrder(29)
  await anOrder(31)
  const { orderId: tried } = await anInvoice(books, { paidAt: inYear(0) })
  await sql`update orders set status = 'New', expires_at = now() - interval '31 days' where id = ${tried}`.execute(
    db,
  )
  await deleteUntriedOrders(db)
  expect(await ordersLeft(books)).toEqual([kept, tried].sort())
})
