import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, daysOfMonth, monthOf } from '@hedgerow/domain/periods'
import { describe, expect, test } from 'vitest'
import { listAlerts } from '#care/overview/alerts.ts'
import { countMissingSterling, inSterling, readSterlingRates } from '#sales/invoices/sterling.ts'
import { aFolder } from '#testing/backups.ts'
import { anInvoice, openBooks } from '#testing/papers.ts'

const HEADS = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date'
const THIS_MONTH = monthOf(isoDay(new Date()))

const aFile = async (text: string | Buffer): Promise<string> => {
  const path = join(await aFolder(), 'rates.csv')
  await writeFile(path, text)
  return path
}

const usedInvoice = async (shop: Parameters<typeof anInvoice>[0], paidAt: string) => {
  const sums = { totalMinor: 1200, netMinor: 1000, vatMinor: 200 }
  const sterling = inSterling(sums, 'EUR', await readSterlingRates(shop.db), isoDay(new Date(paidAt)))
  if (!sterling) throw new Error('There is no rate.')
  return anInvoice(shop, { paidAt, currency: 'EUR', ...sums, sterling })
}

describe('ops rate sterling', { timeout: 120_000 }, () => {
  test('sets the rate of a month, once: again it is known, and another is refused', async () => {
    const { ops } = await openBooks()
    const set = (rate: string, ...more: string[]) =>
      ops('rate', 'sterling', 'set', 'eur', rate, '--month', '2026-10', ...more)
    expect((await set('1.1534')).out).toBe('£1 is 1.1534 EUR in the books of 2026-10.\n')
    expect((await set('1.1534', '--json')).json).toEqual({
      rates: [{ currency: 'EUR', day: '2026-10-01', rate: '1.1534', outcome: 'known' }],
    })
    const other = await set('1.16')
    expect(other.err).toBe(
      '£1 is 1.1534 EUR in the books of 2026-10 already. If that is a mistake, replace it with --correct.\n',
    )
    expect(other.code).toBe(1)
    const { json } = await ops('rate', 'sterling', 'list', '--json')
    expect(json.rates).toEqual([
      { currency: 'EUR', day: '2026-10-01', rate: '1.1534', setAt: expect.stringMatching(/Z$/) },
    ])
  })

  test('is corrected as long as no invoice was written with it', async () => {
    const books = await openBooks()
    const set = (rate: string, month: string, ...more: string[]) =>
      books.ops('rate', 'sterling', 'set', 'EUR', rate, '--month', month, ...more)
    await set('1.1534', '2026-10')
    expect((await set('1.16', '2026-10', '--correct')).out).toBe(
      '£1 is 1.16 EUR in the books of 2026-10 (corrected; it was 1.1534).\n',
    )
    // November had none of its own when this was sold.
    await usedInvoice(books, '2026-11-05T12:00:00.000Z')
    const used = await set('1.17', '2026-10', '--correct')
    expect(used.err).toBe(
      '£1 is 1.16 EUR in the books of 2026-10, and invoices were written with that: it stays.\n',
    )
    expect(used.code).toBe(1)
    await set('1.17', '2026-11')
    expect((await set('1.18', '2026-11', '--correct')).code).toBe(0)
  })

  test('two operators at once leave one rate', async () => {
    const { ops } = await openBooks()
    const set = (rate: string) => ops('rate', 'sterling', 'set', 'EUR', rate, '--month', '2026-10')
    const outcomes = await Promise.all([set('1.15'), set('1.16')])
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    expect((await ops('rate', 'sterling', 'list', '--json')).json.rates).toHaveLength(1)
  })

  test('asks about one that is more than a tenth from the one next to it, and refuses what is not published yet', async () => {
    const { ops } = await openBooks()
    const set = (rate: string, month: string, ...more: string[]) =>
      ops('rate', 'sterling', 'set', 'EUR', rate, '--month', month, ...more)
    await set('1.15', '2026-10')
    expect((await set('11.5', '2026-11')).err).toMatch(
      /^Set 11\.50\? It is more than a tenth away from the rate next to it, 1\.15 of 2026-10\. .*--yes/,
    )
    expect((await set('1.5', '2026-09')).err).toMatch(/1\.15 of 2026-10/)
    expect((await set('1.5', '2026-09', '--yes')).code).toBe(0)
    expect((await set('1.15', addMonths(THIS_MONTH, 1))).code).toBe(0)
    const future = await set('1.15', addMonths(THIS_MONTH, 2))
    expect([future.code, future.err]).toEqual([1, expect.stringContaining('is more than a month ahead')])
    for (const wrong of [
      ['USD', '1.3'],
      ['EUR', '0'],
      ['EUR', '1,15'],
    ] as const)
      expect((await ops('rate', 'sterling', 'set', ...wrong, '--month', '2026-10')).code).toBe(2)
    expect((await ops('rate', 'sterling', 'set', 'EUR', '1.15')).code).toBe(2)
  })

  test('reads the file that HMRC publishes, by the names of its columns', async () => {
    const { ops } = await openBooks()
    const file = await aFile(
      `\uFEFF${HEADS}\r\n"Abu Dhabi",Dirham,AED,4.8765,01/10/2026,31/10/2026\r\nEurozone,Euro,EUR,1.1564,01/10/2026,31/10/2026\r\n` +
        `"Indonesia","Rupiah",IDR,"21,765.5",01/10/2026,31/10/2026\r\n`,
    )
    const { out, code } = await ops('rate', 'sterling', 'import', file)
    expect(out).toBe('£1 is 1.1564 EUR in the books of 2026-10.\n')
    expect(code).toBe(0)
    expect((await ops('rate', 'sterling', 'import', file)).out).toContain('(it was set already)')
    // Columns in another order, and the pound's sign as another program has saved it.
    const other = Buffer.from(
      'Currency Code;End Date;Start Date;Currency Units per \xa31\nEUR;30/11/2026;01/11/2026;1.16\n'.replaceAll(
        ';',
        ',',
      ),
      'latin1',
    )
    expect((await ops('rate', 'sterling', 'import', await aFile(other))).out).toContain(
      '1.16 EUR in the books of 2026-11',
    )
  })

  test.each([
    ['', /The file is empty/],
    ['Country,Rate\nEurozone,1.15\n', /no column for ‘code’ among ‘Country’, ‘Rate’\.\n/],
    [`${HEADS}\nUSA,Dollar,USD,1.34,01/10/2026,31/10/2026\n`, /has no rate of EUR/],
    [
      `${HEADS}\nEurozone,Euro,EUR,1.1x,01/10/2026,31/10/2026\n`,
      /Line 2, column ‘Currency Units per £1’: ‘1\.1x’ is no rate/,
    ],
    [
      `${HEADS}\nUSA,Dollar,USD,1.34,01/10/2026,31/10/2026\nEurozone,Euro,EUR,1.15,31/12/2025,31/12/2025\n`,
      /Line 3, column ‘Start date’/,
    ],
    [`${HEADS}\nEurozone,Euro,EUR,1.15,01/10/2026,30/10/2026\n`, /column ‘End date’/],
    [
      `${HEADS}\nEurozone,Euro,EUR,1.15,01/10/2026,31/10/2026\nItaly,Euro,EUR,1.16,01/10/2026,31/10/2026\n`,
      /two rates of EUR/,
    ],
    [`${HEADS}\nEurozone,Euro\n`, /has no rate of EUR/],
    [`${HEADS}\n"Eurozone,Euro\n`, /is no CSV/],
    ['x'.repeat(20 * 1024 * 1024 + 1), /larger than 20 MB/],
  ])('sets nothing from a file that is none: %#', async (text, fault) => {
    const { ops, db } = await openBooks()
    const { code, err } = await ops('rate', 'sterling', 'import', await aFile(text))
    expect(err).toMatch(fault)
    expect(code).toBe(1)
    expect(await db.selectFrom('accounting_rates').select('kind').execute()).toEqual([])
  })
})

describe('ops rate ecb', { timeout: 120_000 }, () => {
  test('sets the rate of a day, corrects it, and refuses a day to come', async () => {
    const { ops } = await openBooks()
    const set = (rate: string, day: string, ...more: string[]) =>
      ops('rate', 'ecb', 'set', 'GBP', rate, '--day', day, ...more)
    expect((await set('0.8731', '2026-09-30')).out).toBe('€1 is 0.8731 GBP on 2026-09-30.\n')
    expect((await set('0.88', '2026-09-30')).code).toBe(1)
    expect((await set('0.88', '2026-09-30', '--correct')).out).toContain('(corrected; it was 0.8731)')
    expect((await set('0.88', '2099-12-31')).err).toContain('is still to come')
    expect((await ops('rate', 'ecb', 'list')).out).toMatch(/2026-09-30 +GBP +0\.88/)
  })
})

describe('a month with sales and no rate in pounds', () => {
  test('is told, in its last three days the next month too, until it has one', async () => {
    const books = await openBooks()
    const { db } = books
    const last = new Date(`${daysOfMonth(THIS_MONTH).to}T12:00:00Z`)
    const early = new Date(`${THIS_MONTH}-05T12:00:00Z`)
    const told = async () => (await listAlerts(db)).find(({ name }) => name === 'SterlingRateMissing')
    await anInvoice(books, { paidAt: `${THIS_MONTH}-01T12:00:00.000Z`, currency: 'GBP' })
    expect(await countMissingSterling(db, last)).toBe(0)
    await anInvoice(books, { paidAt: `${THIS_MONTH}-01T12:00:00.000Z`, currency: 'EUR' })
    expect([await countMissingSterling(db, early), await countMissingSterling(db, last)]).toEqual([1, 2])
    expect(await told()).toMatchObject({ see: 'rate sterling list' })
    const set = (month: string) => books.ops('rate', 'sterling', 'set', 'EUR', '1.15', '--month', month)
    await set(addMonths(THIS_MONTH, -1))
    expect(await countMissingSterling(db, early)).toBe(1)
    await set(THIS_MONTH)
    expect([await countMissingSterling(db, early), await countMissingSterling(db, last)]).toEqual([0, 1])
    await set(addMonths(THIS_MONTH, 1))
    expect(await countMissingSterling(db, last)).toBe(0)
    expect(await told()).toBeUndefined()
  })
})
