import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aFolder } from '#testing/backups.ts'
import { aCreditNote, anInvoice, type Books, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`
const OCTOBER = ['--month', '2026-10']

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })
const sumOf = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

const aMonth = async (): Promise<Books> => {
  const books = await openBooks()
  const day = { paidAt: at('2026-10-05') }
  const sold = await anInvoice(books, {
    ...day,
    buyer: { name: '=HYPERLINK("http://evil.example")', address: ['+1 Lane', 'SW1 London', 'GB'] },
  })
  await anInvoice(books, {
    ...day,
    totalMinor: 11_900,
    vatRate: 19,
    vat: { treatment: 'oss', country: 'DE' },
    buyer: { name: 'Zoë\u001b[2J "the\nbuyer"', address: [] },
  })
  await anInvoice(books, { paidAt: at('2026-10-06'), currency: 'EUR', totalMinor: 1153 })
  await aCreditNote(books, sold, { refundedAt: at('2026-10-06') })
  await books.ops('rate', 'sterling', 'set', 'EUR', '1.1534', '--month', '2026-10')
  return books
}

describe('ops invoice export', { timeout: 120_000 }, () => {
  test('as csv has all, and its columns sum to the VAT return', async () => {
    const { ops } = await aMonth()
    const { out, err, code } = await ops('invoice', 'export', ...OCTOBER)
    expect([code, err]).toEqual([0, ''])
    const rows = rowsOf(out)
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
    const { json } = await ops('vat-return', ...OCTOBER, '--json')
    expect(sumOf(rows, 'sterlingNet')).toBe(Math.round(Number(json.totals.net) * 100))
    expect(sumOf(rows, 'sterlingVat')).toBe(Math.round(Number(json.totals.vat) * 100))
    const { json: told } = await ops('invoice', 'export', ...OCTOBER, '--format', 'json')
    expect(told.documents.map(({ total }: { total: string }) => total)).toEqual(
      rows.map(({ total }) => total),
    )
    const { out: summary } = await ops('invoice', 'export', ...OCTOBER, '--format', 'summary')
    const days = rowsOf(summary)
    expect(days.map(({ day, currency, country }) => [day, currency, country])).toEqual([
      ['2026-10-05', 'GBP', 'DE'],
      ['2026-10-05', 'GBP', 'GB'],
      ['2026-10-06', 'EUR', 'GB'],
      ['2026-10-06', 'GBP', 'GB'],
    ])
    expect(sumOf(days, 'sterlingVat')).toBe(sumOf(rows, 'sterlingVat'))
  })

  test('lets nobody’s name be a formula, or move a terminal', async () => {
    const { ops } = await aMonth()
    for (const format of ['csv', 'xero']) {
      const { out } = await ops('invoice', 'export', ...OCTOBER, '--format', format)
      expect(out).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
      expect(out).toContain(`'+1 Lane`)
      expect(out).toContain('Zoë [2J ""the buyer""')
      expect(out).not.toContain('\u001b')
    }
  })

  test('for Xero has its columns, credit notes negative, and other countries’ VAT in a line by itself', async () => {
    const { ops } = await aMonth()
    const { out } = await ops('invoice', 'export', ...OCTOBER, '--format', 'xero', '--oss-account', '826')
    expect(out.slice(0, out.indexOf('\r\n'))).toBe(
      '*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,' +
        'POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity,*UnitAmount,' +
        'Discount,*AccountCode,*TaxType,TaxAmount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency,BrandingTheme',
    )
    const rows = rowsOf(out)
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
      Reference: '2026-000001',
      '*UnitAmount': '-10.00',
      TaxAmount: '-2.00',
    })
  })

  test('is split into files as large as the program takes, and none is written over another', async () => {
    const { ops, db } = await aMonth()
    await sql`with made as (
        insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
        select gen_random_uuid(), 31, 3, 0, 1200, 'GBP', 'Completed', now() from generate_series(1, 600) returning id
      ), one as (select snapshot from invoices where number = 1)
      insert into invoices (order_id, year, number, snapshot)
      select id, 2026, 100 + row_number() over (), snapshot from made, one`.execute(db)
    const folder = await aFolder()
    const to = (format: string) =>
      ops('invoice', 'export', ...OCTOBER, '--format', format, '--out', join(folder, `${format}.csv`))
    const { code, out } = await to('xero')
    expect([code, out]).toEqual([0, expect.stringMatching(/^Written: .*xero-1\.csv/)])
    await to('quickbooks')
    expect((await readdir(folder)).sort()).toEqual([
      'quickbooks-credit-notes.csv',
      ...[1, 2, 3, 4, 5, 6, 7].map((part) => `quickbooks-invoices-${part}.csv`),
      'xero-1.csv',
      'xero-2.csv',
    ])
    const read = async (name: string) => rowsOf(await readFile(join(folder, name), 'utf8'))
    expect((await read('xero-2.csv')).length).toBe(104)
    expect(await read('quickbooks-credit-notes.csv')).toMatchObject([
      {
        Number: 'CN-2026-000001',
        'Item amount': '10.00',
        'Item tax amount': '2.00',
        'Item tax code': '20.0% S',
        Memo: '2026-000001',
        Item: 'Sales',
      },
    ])
    expect((await to('xero')).err).toMatch(/xero-1\.csv already exists\. To replace it, add --force/)
    // Several files do not go to one output.
    const mixed = await ops('invoice', 'export', ...OCTOBER, '--format', 'quickbooks')
    expect([mixed.code, mixed.out, mixed.err]).toEqual([1, '', expect.stringContaining('--out FILE')])
  })

  test('is refused where pounds are wanted and a month has no rate, and leaves no file', async () => {
    const { ops, db } = await aMonth()
    await db.deleteFrom('accounting_rates').execute()
    const folder = await aFolder()
    const { code, err } = await ops('invoice', 'export', ...OCTOBER, '--out', join(folder, 'books.csv'))
    expect([code, err]).toEqual([1, expect.stringContaining("HMRC's rate of EUR for 2026-10")])
    expect(await readdir(folder)).toEqual([])
    // A program that keeps its own rates wants none of ours.
    expect((await ops('invoice', 'export', ...OCTOBER, '--format', 'xero')).code).toBe(0)
    const none = (format: string) => ops('invoice', 'export', '--month', '2025-01', '--format', format)
    expect((await none('json')).json).toEqual({ from: '2025-01-01', to: '2025-01-31', documents: [] })
    expect((await none('xero')).err).toMatch(/^There is no invoice/)
    expect((await ops('invoice', 'export')).code).toBe(2)
  })
})
