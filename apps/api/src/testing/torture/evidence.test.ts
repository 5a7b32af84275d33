import { invoiceNumber } from '@hedgerow/domain/invoices'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import type { Db } from '#platform/database/client.ts'
import { correctInvoice } from '#sales/invoices/correct-invoice.ts'
import { noted, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { aReferred, earningOf } from '#testing/partners.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { type BookEntry, readBooks } from '#testing/torture/books.ts'
import { readDatabase } from '#testing/torture/evidence.ts'
import { findViolations } from '#testing/torture/violations.ts'

const shop = shopOfFile()

let books: BookEntry[]

/** Puts another buyer on the invoice that counts. */
const correct = async (paymentId: string): Promise<void> => {
  const { order_id } = await paymentRow(shop, paymentId)
  const live = await shop.db
    .selectFrom('live_invoices')
    .selectAll()
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const right = { buyer: { name: 'Ada Ltd' } }
  expect(await correctInvoice(shop, invoiceNumber(live.year, live.number), right)).toMatchObject({
    kind: 'corrected',
  })
}

/** Mails, pages and jobs are looked at elsewhere. */
const brokenIn = async (db: Db): Promise<string[]> => {
  const nothingSeen = { mails: [], shownStatuses: new Map(), said: new Map() }
  const found = findViolations({ ...(await readDatabase(db)), ...nothingSeen, books })
  return found.map(({ rule }) => rule).filter((rule) => !/^a receipt or|: a job$/.test(rule))
}

beforeAll(async () => {
  const buyer = await aReferred(shop, await aCustomer(shop))
  const { paymentId } = await aPurchase(shop, {}, {}, buyer)
  await until(async () => {
    await creditPartners(shop)
    return earningOf(shop, paymentId)
  })
  await refund(shop, paymentId, '11.11')
  await noted(shop, paymentId, 1)
  await correct(paymentId)
  await refund(shop, paymentId, '2.22')
  await noted(shop, paymentId, 2)
  books = await readBooks(shop.sandbox.url)
})

test('a shop is sound in which parts of a credited payment went back, before its invoice was corrected and after', async () => {
  expect(await brokenIn(shop.db)).toEqual([])
})

const OTHER_SUM = `set snapshot = jsonb_set(snapshot, '{totalMinor}', '1112')`
/** A correction is one row: its credit note can only be lost on the way to the books. */
const WITHOUT_CORRECTIONS = `create or replace view issued_credit_notes as
  select refund_id as id, refund_id, payment_id, year, number, issued_at, snapshot from credit_notes`
const A_CORRECTION = 'a correction did not take back'
const ABROAD = `set snapshot = jsonb_set(snapshot, '{vat}', '{"treatment": "oss", "country": "FR"}')`

test.each([
  ['a missing credit note', 'delete from credit_notes', 'a refund and its credit note are not one to one'],
  [
    'a credit note of another sum',
    `update credit_notes ${OTHER_SUM}`,
    'the credit notes of a payment are not what went back',
  ],
  ['a number of no credit note', 'update credit_note_counters set last = last + 1', 'a credit note number'],
  [
    'an earning not taken back',
    'update earnings set due_back_minor = 0, reversed_minor = 0',
    'an earning was not taken back',
  ],
  ['an invoice with the VAT of another country', `update invoices ${ABROAD}`, 'the VAT of an invoice'],
  ['a correction without its credit note', WITHOUT_CORRECTIONS, A_CORRECTION],
  ['a correction of another sum', `update invoice_corrections ${OTHER_SUM}`, A_CORRECTION],
  [
    'a correction that takes back another sum',
    `update invoice_corrections ${OTHER_SUM.replaceAll('snapshot', 'credit_snapshot')}`,
    A_CORRECTION,
  ],
  [
    'an invoice that counts beside its correction',
    `update invoice_corrections set of_number = 99`,
    'a delivered order',
  ],
  ['a credit note with it', `update credit_notes ${ABROAD}`, 'the credit notes of a payment'],
])('%s is seen', async (_, plant, rule) => {
  const trx = await shop.db.startTransaction().execute()
  try {
    // Past the triggers that refuse such a thing.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql.raw(plant).execute(trx)
    expect(await brokenIn(trx)).toContainEqual(expect.stringContaining(rule))
  } finally {
    await trx.rollback().execute()
  }
})
