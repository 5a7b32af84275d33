import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { setBookRates } from '#desk/backoffice/book-rates.ts'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aCreditNote, anInvoice, type WrittenInvoice } from '#testing/papers.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

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
  await setBookRates(shop.db, 'sterling', [rate], false)
}, 60_000)

describe('invoices', () => {
  test('are listed without names, by day, currency and tax, and as a file', async () => {
    const operator = await finance()
    const numbers = async (query: Record<string, string>) =>
      (await get(operator, 'invoices', query)).body.rows.map(({ number }: { number: string }) => number)
    expect(await numbers(OCTOBER)).toHaveLength(3)
    expect(await numbers({ ...OCTOBER, currency: 'GBP' })).toEqual([uk().name])
    expect(await numbers({ ...OCTOBER, treatment: 'oss' })).toHaveLength(1)
    expect(await numbers({ from: '2026-10-06', to: '2026-10-06' })).toHaveLength(1)
    expect(await numbers({ from: '2026-11-01', to: '2026-11-02' })).toEqual([])
    const list = await get(operator, 'invoices', OCTOBER)
    const file = await get(operator, 'invoices.csv', OCTOBER)
    for (const { text } of [list, file]) expect(text).not.toMatch(/HYPERLINK|Lane|LOVELACE/)
    expect(list.body.rows.find(({ number }: { number: string }) => number === uk().name)).toMatchObject({
      totalMinor: 12_000,
      netMinor: 10_000,
      vatMinor: 2_000,
      creditedMinor: 1_200,
    })
    expect(file.text).toContain(`${uk().name},`)
    expect(await deedsOf(shop, operator)).toEqual([])
  })

  test('are opened in full by those who may, which is recorded', async () => {
    const operator = await finance()
    const { body, text } = await get(operator, `invoices/${uk().name}`)
    expect(text).toContain('HYPERLINK')
    expect(body).toMatchObject({ orderId: uk().orderId, paymentId: uk().paymentId })
    const pdf = await get(operator, `invoices/${uk().name}/pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(Buffer.from(pdf.bytes).subarray(0, 5).toString()).toBe('%PDF-')
    const note = await get(operator, `credit-notes/${sold.note}`)
    expect(note.body).toMatchObject({ orderId: uk().orderId, paymentId: uk().paymentId })
    expect(await deedsOf(shop, operator)).toMatchObject([
      { command: 'invoice show', subject: uk().name },
      { command: 'invoice show', subject: uk().name },
      { command: 'credit-note show', subject: sold.note },
    ])
    const viewer = await anOperator(shop.db, 'viewer')
    expectProblem(await get(viewer, `invoices/${uk().name}`), 403)
    expectProblem(await get(viewer, `invoices/${uk().name}/pdf`), 403)
    expectProblem(await get(viewer, `credit-notes/${sold.note}`), 403)
    expectProblem(await get(viewer, 'books/file', { format: 'csv', ...OCTOBER }), 403)
    expectProblem(await get(viewer, 'vat-evidence.csv', OCTOBER), 403)
    expect((await get(viewer, 'invoices')).status).toBe(200)
    expectProblem(await get(await anOperator(shop.db, 'support'), 'invoices'), 403)
  })

  test('that there are not are not found, whatever their number is', async () => {
    const operator = await finance()
    for (const number of ['1999-000001', '9999-999999999', 'x', "2026-000001'", '2026-0000010000000'])
      expectProblem(await get(operator, `invoices/${encodeURIComponent(number)}`), 404)
    for (const number of ['CN-1999-000001', 'CN-9999-999999999', uk().name])
      expectProblem(await get(operator, `credit-notes/${number}`), 404)
    expectProblem(await get(operator, 'invoices/1999-000001/pdf'), 404)
  })

  test.each([
    [{ from: '2026-02-31' }, 'from'],
    [{ from: '2026-10-02', to: '2026-10-01' }, 'to'],
    [{ from: 'today' }, 'from'],
    [{ currency: 'USD' }, 'currency'],
    [{ treatment: '__proto__' }, 'treatment'],
  ])('are not listed by %j', async (query, field) => {
    const operator = await finance()
    for (const path of ['invoices', 'invoices.csv', 'credit-notes'])
      expect(messageFor(expectProblem(await get(operator, path, query), 422), field)).toMatch(/./)
  })
})

test('credit notes are listed with their invoices, and as a file', async () => {
  const operator = await finance()
  const { rows } = (await get(operator, 'credit-notes', OCTOBER)).body
  expect(rows).toMatchObject([
    { number: sold.note, invoice: uk().name, paymentId: uk().paymentId, totalMinor: 1_200 },
  ])
  expect((await get(operator, 'credit-notes.csv', OCTOBER)).text).toContain(uk().name)
})

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

describe('files for other programs', () => {
  test.each(['csv', 'json', 'xero', 'quickbooks', 'summary'])(
    'are, as %s, all that was listed, and no cell of them is a formula',
    async (format) => {
      const operator = await finance()
      const files = (await get(operator, 'books/files', { format, ...OCTOBER })).body
      expect(files.length).toBeGreaterThan(0)
      for (const { name, part } of files) {
        const { status, text, headers } = await get(operator, 'books/file', {
          format,
          ...OCTOBER,
          part: String(part),
        })
        expect(status, text).toBe(200)
        expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
        expect(text.length).toBeGreaterThan(10)
        if (format !== 'json') expect(text).not.toMatch(/(^|,)"?=HYPERLINK/m)
        if (format === 'csv') expect(text).toBe(await ops('invoice', 'export', '--month', '2026-10'))
      }
      const one = String(files.length + 1)
      expectProblem(await get(operator, 'books/file', { format, ...OCTOBER, part: one }), 409)
      const deeds = await deedsOf(shop, operator)
      expect(deeds[0]).toMatchObject({ command: 'invoice export', arguments: { format, ...OCTOBER } })
      expect(deeds.map(({ outcome }) => outcome).at(-1)).toBe('refused')
    },
  )

  test.each<Record<string, string>>([
    { format: 'pdf' },
    { format: 'csv', from: '2026-10-31', to: '2026-10-01' },
    { format: 'xero', account: '=1+1' },
    { format: 'xero', account: 'x'.repeat(41) },
    { format: 'csv', part: '0' },
    { format: 'csv', part: '1e9' },
  ])('are not made with %j', async (query) => {
    expectProblem(await get(await finance(), 'books/file', { ...OCTOBER, ...query }), 422)
  })

  test('free their connection when somebody hangs up, or reads nothing', async () => {
    const operator = await finance()
    await sql`with copied as (
        insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
        select gen_random_uuid(), 31, 3, 0, 12000, 'GBP', 'Completed', now() from generate_series(1, 8000) returning id)
      insert into invoices (order_id, year, number, issued_at, snapshot)
      select copied.id, 2022, row_number() over (), '2022-05-05', snapshot || '{"paidAt": "2022-05-05T12:00:00.000Z"}'
      from copied, invoices where order_id = ${uk().orderId}`.execute(shop.db)
    const query = new URLSearchParams({ format: 'json', from: '2022-05-01', to: '2022-05-31' })
    const url = `/api/v1/books/file?${query}`
    for (let n = 0; n < 6; n++) {
      await ask(operator, 'HEAD', url)
      const hangUp = new AbortController()
      const { body } = await fetch(consoleUrl + url, { signal: hangUp.signal, headers: headersOf(operator) })
      const reader = body?.getReader()
      await reader?.read()
      hangUp.abort()
      await reader?.closed.catch(() => undefined)
    }
    const { status, body } = await ask(operator, 'GET', url)
    expect(status).toBe(200)
    expect(JSON.stringify(body).split('"2022-').length).toBeGreaterThan(8_000)
  }, 90_000)

  test('of evidence are had by days', async () => {
    const operator = await finance()
    const { status, headers } = await get(operator, 'vat-evidence.csv', OCTOBER)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(await deedsOf(shop, operator)).toMatchObject([{ command: 'vat-evidence list' }])
  })
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

test('numbers go on higher after a restore, never lower, and only with a recent proof', async () => {
  const operator = await finance()
  const setTo = (number: unknown) =>
    ask(operator, 'POST', '/api/v1/number-series/credit-notes', { body: { number } })
  const next = async () =>
    (await get(operator, 'number-series')).body.find(
      ({ series }: { series: string }) => series === 'credit-notes',
    )
  expect((await setTo(400)).body).toEqual({ isChanged: true })
  expect((await setTo(400)).body).toEqual({ isChanged: false })
  expect((await next()).next).toMatch(/^CN-\d{4}-000400$/)
  expect((await next()).missing.at(-1)).toMatchObject({ to: expect.stringMatching(/000399$/) })
  const lower = expectProblem(await setTo(1), 409)
  expect(lower.body.detail).toMatch(/have been issued, so the next must be higher\.$/)
  for (const number of [0, -1, 1.5, 1e12, '7', null]) expectProblem(await setTo(number), 422)
  expectProblem(await ask(operator, 'POST', '/api/v1/number-series/orders', { body: { number: 9 } }), 404)
  await letOperatorProofAge(shop, operator)
  expect(expectProblem(await setTo(500), 403).body.code).toBe('ask-again')
})

describe('rates', () => {
  const setRate = (operator: TestOperator, body: object) => ask(operator, 'POST', '/api/v1/rates', { body })
  const sterling = { kind: 'sterling', currency: 'EUR' }

  test('of the books are set once, corrected when that is said, and stay once invoices were written with them', async () => {
    const operator = await finance()
    const may = { ...sterling, when: '2026-05' }
    expect((await setRate(operator, { ...may, rate: '1.1600' })).body).toEqual({ isChanged: true })
    expect((await setRate(operator, { ...may, rate: '1.16' })).body).toEqual({ isChanged: false })
    const refused = expectProblem(await setRate(operator, { ...may, rate: '1.17' }), 409)
    expect(refused.body.detail).toBe(
      '£1 is 1.16 EUR in the books of 2026-05 already. If that is a mistake, say that it is corrected.',
    )
    expect((await setRate(operator, { ...may, rate: '1.17', mayCorrect: true })).body).toEqual({
      isChanged: true,
    })
    expect((await get(operator, 'rates')).body).toContainEqual(
      expect.objectContaining({ kind: 'sterling', when: '2026-05', rate: expect.stringMatching(/^1\.17/) }),
    )
    expect((await deedsOf(shop, operator))[0]).toMatchObject({
      command: 'rate set',
      arguments: { kind: 'sterling', rate: '1.1600', when: '2026-05' },
    })
  })

  test('far from the one beside have to be meant', async () => {
    const operator = await finance()
    const june = { ...sterling, when: '2026-06', rate: '11.5' }
    expect(expectProblem(await setRate(operator, june), 409).body.detail).toMatch(/If it is meant, say so\.$/)
    expect((await setRate(operator, { ...june, isMeant: true })).body).toEqual({ isChanged: true })
    await setRate(operator, { ...june, rate: '1.15', isMeant: true, mayCorrect: true })
    const blik = { kind: 'blik', currency: 'EUR' }
    await setRate(operator, { ...blik, rate: '4.2512', isMeant: true })
    expectProblem(await setRate(operator, { ...blik, rate: '42.512' }), 409)
    expect((await setRate(operator, { ...blik, rate: '4.3' })).body).toEqual({ isChanged: true })
  })

  test.each([
    [
      'a month to come',
      { ...sterling, when: addMonths(monthOf(isoDay(new Date())), 2), rate: '1.15' },
      'when',
    ],
    ['a day to come', { kind: 'ecb', currency: 'GBP', when: '2099-01-01', rate: '0.87' }, 'when'],
    ['no month', { ...sterling, rate: '1.15' }, 'when'],
    ['a month that is none', { ...sterling, when: '2026-13', rate: '1.15' }, 'when'],
    ['a day that is none', { kind: 'ecb', currency: 'GBP', when: '2026-02-30', rate: '0.87' }, 'when'],
    ['another currency', { kind: 'ecb', currency: 'EUR', when: '2026-10-01', rate: '0.87' }, 'currency'],
    ['no rate', { ...sterling, when: '2026-04', rate: '0' }, 'rate'],
    ['a negative one', { ...sterling, when: '2026-04', rate: '-1' }, 'rate'],
    ['one with an exponent', { ...sterling, when: '2026-04', rate: '1e3' }, 'rate'],
    ['another kind', { kind: '__proto__', currency: 'EUR', rate: '1' }, 'kind'],
  ])('of %s are refused at their field', async (_, body, field) => {
    const reply = expectProblem(await setRate(await finance(), body), 422)
    expect(messageFor(reply, field)).toMatch(/./)
  })

  test('are taken over from HMRC’s file, all or none', async () => {
    const operator = await finance()
    const heads = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date'
    const bring = (text: string, more: object = {}) =>
      ask(operator, 'POST', '/api/v1/rates/hmrc', {
        body: { file: { name: 'hmrc.csv', base64: Buffer.from(text).toString('base64') }, ...more },
      })
    const file = `${heads}\nEurozone,Euro,EUR,1.1534,01/07/2026,31/07/2026\nUSA,Dollar,USD,1.3,01/07/2026,31/07/2026\n`
    expect((await bring(file)).body).toEqual({ set: 1, known: 0 })
    expect((await bring(file)).body).toEqual({ set: 0, known: 1 })
    expectProblem(await bring(file.replace('1.1534', '1.16')), 409)
    expectProblem(await bring(file.replaceAll('07/2026', '03/2026').replace('1.1534', '9')), 409)
    const later = await bring(file.replaceAll('07/2026', '07/2096'))
    for (const wrong of [
      '',
      heads,
      'a,b\n1,2\n',
      file.replace('EUR', 'XXX'),
      file.replace('31/07/2026', '30/07/2026'),
      file.replace('1.1534', 'many'),
    ])
      expect(messageFor(expectProblem(await bring(wrong), 422), 'file')).toMatch(/^[^-]*$/)
    expect(messageFor(expectProblem(later, 422), 'file')).toMatch(/more than a month ahead/)
  })

  test('are not set by those who only look', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    expectProblem(await setRate(viewer, { ...sterling, when: '2026-04', rate: '1.15' }), 403)
    expect((await get(viewer, 'rates')).status).toBe(200)
  })
})
