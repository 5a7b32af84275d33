import { randomUUID } from 'node:crypto'
import { sumsOfCommission } from '@hedgerow/domain/commissions'
import { isoDay } from '@hedgerow/domain/dates'
import { addDays, daysOfMonth, monthOf } from '@hedgerow/domain/periods'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import type { CommissionSnapshot } from '#platform/database/tables/partnership.table.ts'
import { readIssuer } from '#platform/settings.ts'
import { correctInvoice } from '#sales/invoices/correct-invoice.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { balances, hasHledger } from '#testing/hledger.ts'
import { aCreditNote, anInvoice, type Books, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`
const exported = async ({ ops }: Books, format: string, month = '2026-10') => {
  const { out, err } = await ops('invoice', 'export', '--format', format, '--month', month)
  expect(err).toBe('')
  return out
}
type Row = Record<string, string>
const rowsOf = (text: string): Row[] => parse(text, { bom: true, columns: true })

/** The order was one of a plan that runs so long; null is without an end. */
const setDays = ({ db }: Books, orderId: string, days: number | null) =>
  sql`update orders set days = ${days}, plan_id = plans.id, plan_name = plans.name, plan_period = plans.period
    from (select * from plans limit 1) as plans where orders.id = ${orderId}`.execute(db)

const operation = (books: Books, id: string, more: object) =>
  books.db
    .insertInto('settlement_operations')
    .values({
      id,
      kind: 'sale',
      type: 'sale',
      status: 'success',
      payment_id: null,
      initial_minor: 0,
      initial_currency: 'EUR',
      booked_minor: 0,
      booked_currency: 'EUR',
      fee_minor: 0,
      method: null,
      pan_masked: null,
      arn: null,
      rrn: null,
      completed_at: new Date(at('2026-10-07')),
      run_id: RUN,
      explanation: null,
      explained_at: null,
      changed_at: null,
      ...more,
    })
    .execute()
const RUN = '00000000-0000-4000-8000-000000000001'

/** British and One Stop Shop sales, one of a year and one without an end, refunds, fees, a payout and złoty exchanged. */
const aMonth = async () => {
  const books = await openBooks()
  const rate = { currency: 'EUR', day: '2026-10-01', rateMicro: 1_250_000 }
  await books.db.transaction().execute((trx) => setAccountingRate(trx, 'sterling', rate))
  const paidAt = at('2026-10-05')
  const sold = await anInvoice(books, { paidAt, totalMinor: 12_000 })
  await anInvoice(books, {
    paidAt,
    totalMinor: 11_900,
    vatRate: 19,
    vat: { treatment: 'oss', country: 'DE' },
  })
  const year = await anInvoice(books, { paidAt: at('2026-09-30'), totalMinor: 43_800 })
  const endless = await anInvoice(books, { paidAt: at('2026-10-30'), totalMinor: 21_900 })
  await setDays(books, year.orderId, 365)
  await setDays(books, endless.orderId, null)
  const sums = { totalMinor: 1_200, netMinor: 1_000, vatMinor: 200 }
  await aCreditNote(books, sold, { refundedAt: at('2026-10-06'), ...sums })
  const charged = { minor: 5_000, currency: 'PLN', rateMicro: 4_000_000, ratedAt: paidAt } as const
  const blik = await anInvoice(books, { paidAt, currency: 'EUR', totalMinor: 1_250, charged })
  await books.db
    .insertInto('settlement_runs')
    .values({
      id: RUN,
      kind: 'import',
      period_from: new Date(at('2026-10-01')),
      period_to: new Date(at('2026-10-31')),
      file_name: 'a.csv',
      file_sha256: '0'.repeat(64),
      ended_at: new Date(),
    })
    .execute()
  const ofSale = { payment_id: sold.paymentId, initial_minor: 12_000, initial_currency: 'GBP' }
  await operation(books, 'o1', { ...ofSale, booked_minor: 12_000, booked_currency: 'GBP', fee_minor: 150 })
  const ofBlik = { payment_id: blik.paymentId, initial_minor: 5_000, initial_currency: 'PLN' }
  await operation(books, 'o2', { ...ofBlik, booked_minor: 1_200, fee_minor: 25 })
  await operation(books, 'o3', { kind: 'payout', initial_minor: -1_000, booked_minor: -1_000 })
  return books
}

test('the journal has every posting once, with the ids of other exports, and each entry comes to nothing', async () => {
  const rows = rowsOf(await exported(await aMonth(), 'journal'))
  for (const entry of Map.groupBy(rows, ({ entry }) => entry).values())
    expect(entry.reduce((sum, { pounds }) => sum + Math.round(Number(pounds) * 100), 0)).toBe(0)
  const sale = rows.filter(({ operationId, what }) => operationId === 'o2' && what === 'Gateway sale')
  expect(sale.map(({ account, amount, currency, pounds }) => [account, amount, currency, pounds])).toEqual([
    ['assets:gateway:balance', '12.00', 'EUR', '9.60'],
    ['assets:gateway:awaited', '-50.00', 'PLN', '-10.00'],
    ['expenses:gateway fees', '0.25', 'EUR', '0.20'],
    ['assets:gateway:balance', '-0.25', 'EUR', '-0.20'],
    ['income:exchange differences', '0.40', 'GBP', '0.40'],
  ])
  expect(sale[0]).toMatchObject({ invoice: '2026-000005', day: '2026-10-07', what: 'Gateway sale' })
})

test.skipIf(!hasHledger)('hledger finds that it balances, and its VAT is that of the return', async () => {
  const books = await aMonth()
  const found = await balances(await exported(books, 'hledger'))
  const { boxes } = await readVatReturn(books, daysOfMonth('2026-10'))
  expect(found.get('liabilities:vat:united kingdom')).toBe(`${(-boxes.vatDueSales / 100).toFixed(2)} GBP`)
  expect(found.get('liabilities:vat:one stop shop')).toBe('-19.00 GBP')
  // Of September's year 31 of 365 days at a pound; of the endless one two days of 1,825 at ten pence; its net is deferred.
  expect(found.get('liabilities:deferred income')).toBe('-151.30 GBP')
  expect(found.get('income:sales')).toBe('-229.54 GBP')
  expect(found.get('expenses:gateway fees')).toBe('1.70 GBP')
  expect(found.get('assets:bank')).toBe('8.00 GBP')
  expect(found.get('income:exchange differences')).toBe('0.40 GBP')
})

test.skipIf(!hasHledger)(
  'what the gateway holds in reserve is money of the shop there, and no cost',
  async () => {
    const books = await aMonth()
    const inReserve = async (id: string, kind: string, minor: number) =>
      operation(books, id, { kind, initial_minor: minor, booked_minor: minor })
    await inReserve('o4', 'reserve', -500)
    await inReserve('o5', 'release', 200)
    const found = await balances(await exported(books, 'hledger'))
    // Three euros at 1.25.
    expect(found.get('assets:gateway:reserve')).toBe('2.40 GBP')
    expect(found.get('expenses:gateway fees')).toBe('1.70 GBP')
    expect(found.get('expenses:gateway corrections')).toBeUndefined()
  },
)

test.skipIf(!hasHledger)('a journal that does not balance is refused by hledger', async () => {
  const text = await exported(await aMonth(), 'hledger')
  await expect(balances(text.replace('120.00 GBP', '120.01 GBP'))).rejects.toThrow('balance')
})

test('a corrected invoice of a year leaves what of it is income by then', async () => {
  const books = await openBooks()
  const today = isoDay(new Date())
  const { orderId, name } = await anInvoice(books, { paidAt: at(addDays(today, -100)), totalMinor: 43_800 })
  await setDays(books, orderId, 365)
  const sums = async () => {
    const rows = rowsOf(await exported(books, 'journal', monthOf(today)))
    const of = (account: string) =>
      rows.filter((row) => row.account === account).reduce((all, { pounds }) => all + Number(pounds), 0)
    return ['income:sales', 'liabilities:deferred income'].map((account) => of(account).toFixed(2))
  }
  const before = await sums()
  const right = { buyer: { name: 'Ada Ltd' } }
  expect(await correctInvoice({ db: books.db, settings: readIssuer({}) }, name, right)).toMatchObject({
    kind: 'corrected',
  })
  expect(await sums()).toEqual(before)
})

test('has what no document tells of: bad debts, money that bought nothing, and partners’ commissions', async () => {
  const books = await openBooks()
  const sold = await anInvoice(books, { paidAt: at('2026-09-05'), totalMinor: 12_000 })
  const unsold = await anInvoice(books, { paidAt: at('2026-10-05') })
  await books.db.deleteFrom('invoices').where('order_id', '=', unsold.orderId).execute()
  await sql`update payments set is_invoiced = false, refund_due = true, delivered_at = null
    where id = ${unsold.paymentId}`.execute(books.db)
  const back = (paymentId: string, reason: string, minor: number) =>
    sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at, is_noted)
      values (gen_random_uuid(), ${paymentId}, ${minor}, ${reason}, 'Success', ${at('2026-10-06')}::timestamptz, true)`.execute(
      books.db,
    )
  await back(sold.paymentId, 'dispute', 12_000)
  await back(unsold.paymentId, 'paid-twice', 1_200)
  await sql`insert into ledger_transfers (partner_id, currency, kind, from_account, to_account, amount_minor, payment_id, created_at)
    values (gen_random_uuid(), 'GBP', 'earned', 'shop', 'pending', 900, ${sold.paymentId}, ${at('2026-10-06')}::timestamptz)`.execute(
    books.db,
  )
  const rows = rowsOf(await exported(books, 'journal'))
  expect(rows.map(({ what, account, amount }) => [what, account, amount])).toEqual([
    ['Payment that bought nothing', 'assets:gateway:awaited', '12.00'],
    ['Payment that bought nothing', 'liabilities:to be refunded', '-12.00'],
    ...[
      ['Bad debt', 'expenses:bad debts', '120.00'],
      ['Bad debt', 'assets:gateway:awaited', '-120.00'],
      ['Refund of a payment that bought nothing', 'liabilities:to be refunded', '12.00'],
      ['Refund of a payment that bought nothing', 'assets:gateway:awaited', '-12.00'],
    ],
    ['Commission earned', 'expenses:partners commissions', '9.00'],
    ['Commission earned', 'liabilities:partners', '-9.00'],
  ])
  for (const { what, paymentId } of rows)
    expect(paymentId).toBe(what?.includes('nothing') ? unsold.paymentId : sold.paymentId)
})

test('names the document of a partner who was paid, and reclaims the VAT on a self-billed invoice', async () => {
  const books = await openBooks()
  const { paymentId, snapshot: of } = await anInvoice(books, { paidAt: at('2026-09-05'), totalMinor: 60_000 })
  const [partnerId, withdrawalId] = [randomUUID(), randomUUID()]
  await sql`insert into withdrawals (id, partner_id, currency, amount_minor, method, ends_with, status, ended_at)
    values (${withdrawalId}, ${partnerId}, 'GBP', 25000, 'iban', '3000', 'paid', ${at('2026-10-06')}::timestamptz)`.execute(
    books.db,
  )
  const move = (kind: string, from: string, to: string, about: { payment?: string; withdrawal?: string }) =>
    sql`insert into ledger_transfers (partner_id, currency, kind, from_account, to_account, amount_minor, payment_id,
        withdrawal_id, created_at)
      values (${partnerId}, 'GBP', ${kind}, ${from}, ${to}, 25000, ${about.payment ?? null}, ${about.withdrawal ?? null},
        ${at('2026-10-06')}::timestamptz)`.execute(books.db)
  await move('earned', 'shop', 'pending', { payment: paymentId })
  await move('matured', 'pending', 'available', { payment: paymentId })
  await move('requested', 'available', 'requested', { withdrawal: withdrawalId })
  await move('paid', 'requested', 'paid', { withdrawal: withdrawalId })
  const snapshot: CommissionSnapshot = {
    kind: 'self-billed',
    issuer: of.issuer,
    partner: { name: 'Ada Ltd', address: ['1 Lane'], vatNumber: 'GB123456789' },
    paidAt: at('2026-10-06'),
    currency: 'GBP',
    ...sumsOfCommission('self-billed', 25_000),
  }
  await sql`insert into commission_documents (withdrawal_id, year, number, snapshot)
    values (${withdrawalId}, 2026, 7, ${JSON.stringify(snapshot)}::jsonb)`.execute(books.db)
  const rows = rowsOf(await exported(books, 'journal')).filter((row) => row.withdrawalId === withdrawalId)
  expect(rows.map(({ account, amount, commission }) => [account, amount, commission])).toEqual([
    ['liabilities:partners', '250.00', 'CM-2026-000007'],
    ['assets:bank', '-250.00', 'CM-2026-000007'],
    ['assets:vat:self-billed', '41.67', 'CM-2026-000007'],
    ['expenses:partners commissions', '-41.67', 'CM-2026-000007'],
  ])
})

test('wants the rate of each document in other money', async () => {
  const books = await aMonth()
  await books.db.deleteFrom('accounting_rates').execute()
  const { err } = await books.ops('invoice', 'export', '--format', 'journal', '--month', '2026-10')
  expect(err).toContain('HMRC’s rate of EUR for 2026-10')
})
