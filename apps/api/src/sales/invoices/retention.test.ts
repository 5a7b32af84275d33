import { isoDay } from '@hedgerow/domain/dates'
import { expect, test } from 'vitest'
import { readOssReturn } from '#accounting/books/oss-return.ts'
import { deleteOldInvoices } from '#sales/invoices/invoices.queries.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const YEAR = Number(isoDay(new Date()).slice(0, 4))
const inYear = (years: number) => `${YEAR - years}-06-15T12:00:00.000Z`
const OSS = { treatment: 'oss', country: 'DE' } as const

test('invoices and credit notes are kept for six years after theirs, those of the One Stop Shop for ten', async () => {
  const books = await openBooks()
  const { db } = books
  for (const years of [6, 7, 10, 11]) {
    await anInvoice(books, { paidAt: inYear(years) })
    await anInvoice(books, { paidAt: inYear(years), vatRate: 19, vat: OSS })
    await anInvoice(books, {
      paidAt: inYear(years),
      vatRate: 0,
      vat: { treatment: 'reverse-charge', country: 'FR' },
    })
  }
  for (const table of ['invoice_gaps', 'credit_note_gaps'] as const)
    for (const years of [10, 11])
      await db
        .insertInto(table)
        .values({ year: YEAR - years, first: 1, last: 2 })
        .execute()
  await deleteOldInvoices(db)
  await deleteOldInvoices(db)
  const kept = await db
    .selectFrom('invoices')
    .select(['year', 'snapshot'])
    .orderBy('year')
    .orderBy('number')
    .execute()
  expect(kept.map(({ year, snapshot }) => [YEAR - year, snapshot.vat?.treatment ?? 'uk'])).toEqual([
    [10, 'oss'],
    [7, 'oss'],
    [6, 'uk'],
    [6, 'oss'],
    [6, 'reverse-charge'],
  ])
  for (const table of ['invoice_gaps', 'credit_note_gaps'] as const)
    expect(await db.selectFrom(table).select('year').execute()).toEqual([{ year: YEAR - 10 }])
})

test('a credit note outlives the invoice that it is on, and its sale is then known by the invoice’s date', async () => {
  const books = await openBooks()
  const old = await anInvoice(books, { paidAt: inYear(7) })
  const ossOld = await anInvoice(books, { paidAt: inYear(11), vatRate: 19, vat: OSS })
  await aCreditNote(books, old, { refundedAt: inYear(6) })
  await aCreditNote(books, old, { refundedAt: inYear(7) })
  await aCreditNote(books, ossOld, { refundedAt: inYear(7) })
  await deleteOldInvoices(books.db)
  expect(await books.db.selectFrom('invoices').select('year').execute()).toEqual([])
  const notes = await books.db.selectFrom('credit_notes').select('year').orderBy('year').execute()
  expect(notes.map(({ year }) => YEAR - year)).toEqual([7, 6])
  const quarter = `${YEAR - 7}-Q2`
  const when = `${YEAR - 11}-06-30`
  await expect(readOssReturn(books, quarter)).rejects.toMatchObject({
    wanted: [{ kind: 'ecb', currency: 'GBP', when }],
  })
  const rate = { currency: 'GBP', day: when, rateMicro: 850_000 }
  await books.db.transaction().execute((trx) => setAccountingRate(trx, 'ecb', rate))
  const { corrections } = await readOssReturn(books, quarter)
  expect(corrections).toMatchObject([{ country: 'DE', period: `${YEAR - 11}-Q2` }])
})
