import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'
import { anInvoice, type WrittenInvoice } from '#testing/papers.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')

const get = (operator: TestOperator, path: string, query: Record<string, string> = {}) =>
  ask(operator, 'GET', `/api/v1/${path}?${new URLSearchParams(query)}`)

const at = (day: string) => `${day}T12:00:00.000Z`
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }

const sold: { uk?: WrittenInvoice } = {}
const uk = () => sold.uk as WrittenInvoice

beforeAll(async () => {
  const buyer = { name: '=HYPERLINK("http://evil.example")', address: ['+1 Lane'] }
  sold.uk = await anInvoice(shop, { paidAt: at('2026-10-05'), buyer })
}, 60_000)

test('an invoice is saved as its customer has it, which is recorded', async () => {
  const operator = await finance()
  const pdf = await get(operator, `invoices/${uk().name}/pdf`)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(pdf.bytes).subarray(0, 5).toString()).toBe('%PDF-')
  expect(await deedsOf(shop, operator)).toMatchObject([{ command: 'invoice show', subject: uk().name }])
  expectProblem(await get(operator, 'invoices/1999-000001/pdf'), 404)
  expectProblem(await get(await anOperator(shop.db, 'viewer'), `invoices/${uk().name}/pdf`), 403)
})

describe('files for other programs', () => {
  test.each(['csv', 'json', 'xero', 'quickbooks', 'summary'])(
    'are, as %s, all that was listed; no cell of one for people is a formula',
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
        if (format === 'csv' || format === 'summary') expect(text).not.toMatch(/(^|,)"?=HYPERLINK/m)
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
  }, 240_000)
})
