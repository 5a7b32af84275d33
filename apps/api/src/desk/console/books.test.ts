import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { expectProblem } from '@hedgerow/testing/problems'
import { beforeAll, describe, expect, test } from 'vitest'
import { setBookRates } from '#sales/invoices/set-accounting-rate.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aCreditNote, anInvoice, type WrittenInvoice } from '#testing/papers.ts'

const { shop, ask } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')
const ops = async (...args: string[]) => {
  const { out, err, code } = await runOps(opsSettings(shop), ...args)
  if (code !== 0) throw new Error(err)
  return out
}

const get = (operator: TestOperator, path: string, query: Record<string, string> = {}) =>
  ask(operator, 'GET', `/api/v1/${path}?${new URLSearchParams(query)}`)

const at = (day: string) => `${day}T12:00:00.000Z`
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }
const EVIL = '=HYPERLINK("http://evil.example")'

const sold: { uk?: WrittenInvoice; note?: string } = {}
const uk = () => sold.uk as WrittenInvoice

beforeAll(async () => {
  const day = { paidAt: at('2026-10-05') }
  sold.uk = await anInvoice(shop, { ...day, totalMinor: 12_000, buyer: { name: EVIL, address: ['+1 Lane'] } })
  await anInvoice(shop, {
    ...day,
    totalMinor: 11_900,
    vatRate: 19,
    currency: 'EUR',
    vat: { treatment: 'oss', country: 'DE' },
  })
  await anInvoice(shop, { ...day, paidAt: at('2026-10-06'), currency: 'EUR', totalMinor: 1_153 })
  const sums = { totalMinor: 1_200, netMinor: 1_000, vatMinor: 200 }
  sold.note = (await aCreditNote(shop, uk(), { refundedAt: at('2026-10-07'), ...sums })).name
  const rate = { currency: 'EUR', day: '2026-10-01', rateMicro: 1_153_400 } as const
  await setBookRates(shop, 'sterling', [rate], { isMeant: true, correct: false })
}, 60_000)

describe('the VAT return', () => {
  test('tells the figures that the tool tells', async () => {
    const operator = await finance()
    const { body } = await get(operator, 'vat-return', OCTOBER)
    const { boxes, notes, ...tool } = JSON.parse(await ops('vat-return', '--month', '2026-10', '--json'))
    expect(body).toMatchObject(tool)
    expect(body.boxes.map(({ says }: { says: string | null }) => says)).toEqual(Object.values(boxes))
    expect(body.boxes[0]).toEqual({ box: 1, what: 'VAT due on sales', says: boxes.vatDueSales })
    expect(body.notes).toHaveLength(notes.length)
    expect(body.notes.join(' ')).not.toMatch(/--/)
    const file = await get(operator, 'vat-return.csv', OCTOBER)
    expect(file.text).toBe(await ops('vat-return', '--month', '2026-10', '--csv'))
    const withOss = await get(operator, 'vat-return', { ...OCTOBER, ossInBox6: 'true' })
    expect(withOss.body.boxes[5].says).not.toBe(body.boxes[5].says)
  })

  test('says which rate lacks, in a sentence without the tool’s words', async () => {
    const operator = await finance()
    const days = { from: '2021-03-01', to: '2021-03-31' }
    await anInvoice(shop, { paidAt: at('2021-03-05'), currency: 'EUR' })
    for (const path of ['vat-return', 'vat-return.csv']) {
      const { body, text } = expectProblem(await get(operator, path, days), 409)
      expect(body.detail).toBe('This needs HMRC’s rate of EUR for 2021-03: set it under Rates.')
      expect(text).not.toMatch(/--|sterling set/)
    }
    for (const path of ['books/files', 'books/file']) {
      const { body } = expectProblem(await get(operator, path, { format: 'csv', ...days }), 409)
      expect(body.detail).toBe('This needs HMRC’s rate of EUR for 2021-03: set it under Rates.')
    }
  })

  test.each([
    [{ from: '2026-10-02', to: '2026-10-01' }],
    [{ from: '2026-02-30', to: '2026-03-01' }],
    [{ from: '2026-10-01' }],
  ])('is not made of %j', async (query) => {
    const operator = await finance()
    expectProblem(await get(operator, 'vat-return', query as Record<string, string>), 422)
    expectProblem(await get(operator, 'vat-return.csv', query as Record<string, string>), 422)
  })
})

describe('the return of the One Stop Shop', () => {
  test('tells the figures that the tool tells', async () => {
    const operator = await finance()
    await anInvoice(shop, {
      paidAt: at('2026-08-05'),
      totalMinor: 11_900,
      vatRate: 19,
      currency: 'EUR',
      vat: { treatment: 'oss', country: 'DE' },
    })
    const { body } = await get(operator, 'oss-return', { quarter: '2026-Q3' })
    expect(JSON.parse(await ops('oss-return', '--quarter', '2026-Q3', '--json'))).toMatchObject(body)
    expect(body.totals.vat).toBe('19.00')
    const file = await get(operator, 'oss-return.csv', { quarter: '2026-Q3' })
    expect(file.text).toMatch(/DE/)
  })

  test('says which rate lacks, and is made of no quarter that there is not', async () => {
    const operator = await finance()
    await anInvoice(shop, {
      paidAt: at('2024-02-05'),
      totalMinor: 12_000,
      vat: { treatment: 'oss', country: 'FR' },
    })
    for (const path of ['oss-return', 'oss-return.csv']) {
      const { body } = expectProblem(await get(operator, path, { quarter: '2024-Q1' }), 409)
      expect(body.detail).toMatch(/^This needs the European Central Bank’s rate of GBP of 2024-03-31/)
      expectProblem(await get(operator, path, { quarter: '2024-Q5' }), 422)
    }
  })
})

test('evidence of where customers were is had by days', async () => {
  const operator = await finance()
  const { status, headers } = await get(operator, 'vat-evidence.csv', OCTOBER)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(await deedsOf(shop, operator)).toMatchObject([{ command: 'vat-evidence list' }])
})

describe('the month’s check', () => {
  test('says what the tool says', async () => {
    const { body } = await get(await finance(), 'months/2026-10')
    const told = await runOps(opsSettings(shop), 'month', 'check', '--month', '2026-10', '--json')
    const tool = JSON.parse(told.out)
    expect(body.checks).toEqual(tool.checks)
    expect(body.canBeClosed).toBe(told.code === 0)
    expect(body).toMatchObject({ month: '2026-10', ...OCTOBER, quarter: null })
    expect((await get(await finance(), 'months/2026-09')).body.quarter).toMatchObject({ name: '2026-Q3' })
  })

  test('is of a month that there was', async () => {
    const operator = await finance()
    const later = addMonths(monthOf(isoDay(new Date())), 2)
    expectProblem(await get(operator, `months/${later}`), 422)
    expectProblem(await get(operator, 'months/2001-01'), 409)
    for (const month of ['2026-13', 'last', '__proto__'])
      expectProblem(await get(operator, `months/${month}`), 404)
  })
})
