import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import type { Db } from '#platform/database/client.ts'
import { noted, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { aReferred, earningOf } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { type BookEntry, readBooks } from '#testing/torture/books.ts'
import { readDatabase } from '#testing/torture/evidence.ts'
import { findViolations } from '#testing/torture/violations.ts'

const shop = shopOfFile()

let books: BookEntry[]

/** Mails, pages and jobs are looked at elsewhere. */
const brokenIn = async (db: Db): Promise<string[]> => {
  const nothingSeen = { mails: [], shownStatuses: new Map(), said: new Map() }
  const found = findViolations({ ...(await readDatabase(db)), ...nothingSeen, books })
  return found.map(({ rule }) => rule).filter((rule) => !/^a receipt|: a job$/.test(rule))
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
  books = await readBooks(shop.sandbox.url)
})

test('a shop in which a part of a credited payment went back is sound', async () => {
  expect(await brokenIn(shop.db)).toEqual([])
})

const OTHER_SUM = `set snapshot = jsonb_set(snapshot, '{totalMinor}', '1112')`
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
