import { daysOfMonth } from '@hedgerow/domain/periods'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type ExportFormat, exportDocuments } from '#accounting/books/export-documents.ts'
import { accountsOf } from '#accounting/books/export-formats.ts'
import { readVatReturn } from '#accounting/books/vat-return.ts'
import type { Db } from '#platform/database/client.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`

const rowsOf = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true })
const sumOf = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

/** The files of a month, by their names. */
const exported = async (
  db: Db,
  format: ExportFormat,
  { month = '2026-10', oss = undefined as string | undefined, ossInBox6 = false } = {},
) => {
  const files = new Map<string, string>()
  const options = { format, accounts: accountsOf(format, { ossAccount: oss, ossInBox6 }) }
  await exportDocuments({ db }, daysOfMonth(month), options, async ({ name, text }) => {
    let whole = ''
    for await (const chunk of text) whole += chunk
    files.set(name, whole)
  })
  return files
}
const only = async (...asked: Parameters<typeof exported>) => (await exported(...asked)).get('') ?? ''

const aMonth = async (): Promise<Db> => {
  const { db } = await openBooks()
  const day = { paidAt: at('2026-10-05') }
  const sold = await anInvoice(
    { db },
    {
      ...day,
      buyer: { name: '=HYPERLINK("http://evil.example")', address: ['+1 Lane', 'SW1 London', 'GB'] },
    },
  )
  await anInvoice(
    { db },
    {
      ...day,
      totalMinor: 11_900,
      vatRate: 19,
      vat: { treatment: 'oss', country: 'DE' },
      buyer: { name: 'Zoë\u001b[2J "the\nbuyer"', address: [] },
    },
  )
  await anInvoice({ db }, { paidAt: at('2026-10-06'), currency: 'EUR', totalMinor: 1153 })
  await aCreditNote({ db }, sold, { refundedAt: at('2026-10-06') })
  const rate = { currency: 'EUR', day: '2026-10-01', rateMicro: 1_153_400 }
  await db.transaction().execute((trx) => setAccountingRate(trx, 'sterling', rate))
  return db
}

test('csv has all, and its columns sum to the VAT return', async () => {
  const db = await aMonth()
  const rows = rowsOf(await only(db, 'csv'))
  expect(rows.map(({ kind }) => kind)).toEqual(['invoice', 'invoice', 'invoice', 'credit-note'])
  expect(rows[3]).toMatchObject({
    number: 'CN-2026-000001',
    invoice: '2026-000001',
    total: '-12.00',
    taxPoint: '2026-10-06',
  })
  expect(rows[2]).toMatchObject({
    currency: 'EUR',
    total: '11.53',
    sterlingRate: '1.1534',
    sterlingRateFrom: '2026-10-01',
  })
  const { totals } = await readVatReturn({ db }, daysOfMonth('2026-10'))
  expect(sumOf(rows, 'sterlingNet')).toBe(totals.netMinor)
  expect(sumOf(rows, 'sterlingVat')).toBe(totals.vatMinor)
  const { documents } = JSON.parse(await only(db, 'json'))
  expect(documents.map(({ total }: { total: string }) => total)).toEqual(rows.map(({ total }) => total))
  const days = rowsOf(await only(db, 'summary'))
  expect(days.map(({ day, currency, country }) => [day, currency, country])).toEqual([
    ['2026-10-05', 'GBP', 'DE'],
    ['2026-10-05', 'GBP', 'GB'],
    ['2026-10-06', 'EUR', 'GB'],
    ['2026-10-06', 'GBP', 'GB'],
  ])
  expect(sumOf(days, 'sterlingVat')).toBe(sumOf(rows, 'sterlingVat'))
})

test('a name is no formula, and moves no terminal', async () => {
  const db = await aMonth()
  const sheet = await only(db, 'csv')
  expect(sheet).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect(sheet).toContain(`'+1 Lane`)
  expect(sheet).toContain('Zoë [2J ""the buyer""')
  // A program takes a name as it is.
  const record = await only(db, 'xero')
  expect(record).toContain(`"=HYPERLINK(""http://evil.example"")"`)
  expect(record).not.toContain('\u001b')
})

test('Xero has its columns, credit notes negative, and other countries’ VAT in a line by itself', async () => {
  const text = await only(await aMonth(), 'xero', { oss: '826' })
  expect(text.slice(0, text.indexOf('\r\n'))).toBe(
    '*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,' +
      'POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity,*UnitAmount,' +
      'Discount,*AccountCode,*TaxType,TaxAmount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency,BrandingTheme',
  )
  const rows = rowsOf(text)
  expect(rows).toHaveLength(5)
  expect(rows[0]).toMatchObject({
    '*InvoiceNumber': '2026-000001',
    '*InvoiceDate': '05/10/2026',
    '*UnitAmount': '10.00',
    '*AccountCode': '200',
    '*TaxType': '20% (VAT on Income)',
    TaxAmount: '2.00',
  })
  expect(rows.slice(1, 3)).toMatchObject([
    { '*UnitAmount': '100.00', '*TaxType': 'No VAT', '*AccountCode': '200' },
    {
      '*UnitAmount': '19.00',
      '*TaxType': 'No VAT',
      '*AccountCode': '826',
      '*Description': 'VAT of DE, 19%, One Stop Shop',
    },
  ])
  expect(rows[4]).toMatchObject({
    '*InvoiceNumber': 'CN-2026-000001',
    Reference: expect.stringMatching(/^[0-9a-f]{32}$/),
    '*Description': '3 connections for 31 days (credit on 2026-000001)',
    '*UnitAmount': '-10.00',
    TaxAmount: '-2.00',
  })
})

test.each([
  ['xero', false],
  ['xero', true],
  ['quickbooks', false],
  ['quickbooks', true],
] as const)(
  '%s makes the box 6 and box 1 of the return of its codes, with the One Stop Shop in it: %s',
  async (format, ossInBox6) => {
    const { db } = await openBooks()
    const paidAt = at('2026-10-05')
    const sold = await anInvoice({ db }, { paidAt, totalMinor: 12_000 })
    const number = 'FR12345678901'
    await anInvoice(
      { db },
      { paidAt, totalMinor: 5_000, vatRate: 0, vat: { treatment: 'reverse-charge', country: 'FR', number } },
    )
    await anInvoice(
      { db },
      { paidAt, totalMinor: 7_000, vatRate: 0, vat: { treatment: 'outside', country: 'US' } },
    )
    await anInvoice(
      { db },
      { paidAt, totalMinor: 11_900, vatRate: 19, vat: { treatment: 'oss', country: 'DE' } },
    )
    await aCreditNote({ db }, sold, { refundedAt: paidAt, totalMinor: 1_200, netMinor: 1_000, vatMinor: 200 })
    // What each program leaves out of every box.
    const isCounted = ({ '*TaxType': xero, 'Item tax code': code }: Record<string, string>) =>
      (xero ?? code) !== 'No VAT'
    let [box6, box1] = [0, 0]
    for (const [name, text] of await exported(db, format, { ossInBox6 })) {
      const sign = name.startsWith('credit-notes') ? -1 : 1
      const rows = rowsOf(text).filter(isCounted)
      box6 += sign * sumOf(rows, format === 'xero' ? '*UnitAmount' : 'Item amount')
      box1 += sign * sumOf(rows, format === 'xero' ? 'TaxAmount' : 'Item tax amount')
    }
    const { boxes } = await readVatReturn({ db }, daysOfMonth('2026-10'), { isOssInBox6: ossInBox6 })
    expect([box6, box1]).toEqual([boxes.totalValueSalesExVAT, boxes.vatDueSales])
  },
)

test('a file has as many documents as the program takes', async () => {
  const db = await aMonth()
  await sql`with made as (
      insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
      select gen_random_uuid(), 31, 3, 0, 1200, 'GBP', 'Completed', now() from generate_series(1, 600) returning id
    ), one as (select snapshot from invoices where number = 1)
    insert into invoices (order_id, year, number, snapshot)
    select id, 2026, 100 + row_number() over (), snapshot from made, one`.execute(db)
  const xero = await exported(db, 'xero')
  expect([...xero.keys()]).toEqual(['1', '2'])
  expect(rowsOf(xero.get('2') ?? '')).toHaveLength(104)
  const quickbooks = await exported(db, 'quickbooks')
  expect([...quickbooks.keys()].sort()).toEqual([
    'credit-notes',
    ...[1, 2, 3, 4, 5, 6, 7].map((part) => `invoices-${part}`),
  ])
  expect(rowsOf(quickbooks.get('credit-notes') ?? '')).toMatchObject([
    {
      Number: 'CN-2026-000001',
      'Item amount': '10.00',
      'Item tax amount': '2.00',
      'Item tax code': '20.0% S',
      Memo: expect.stringMatching(/^[0-9a-f]{32}$/),
      Item: 'Sales',
    },
  ])
})

test('pounds want a rate, and a program that keeps its own wants none of ours', async () => {
  const db = await aMonth()
  await db.deleteFrom('accounting_rates').execute()
  await expect(exported(db, 'csv')).rejects.toThrow('HMRC’s rate of EUR for 2026-10')
  expect(await only(db, 'xero')).toContain('2026-000001')
  const none = { month: '2025-01' }
  expect(JSON.parse(await only(db, 'json', none))).toEqual({
    from: '2025-01-01',
    to: '2025-01-31',
    documents: [],
  })
  expect((await exported(db, 'xero', none)).size).toBe(0)
})
