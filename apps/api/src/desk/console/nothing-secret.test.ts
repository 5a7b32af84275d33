import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { isoDay } from '@hedgerow/domain/dates'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { quarterOf } from '@hedgerow/domain/periods'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aGuard } from '#testing/guards.ts'
import { type LivedIn, liveIn } from '#testing/lived-in-shop.ts'

const { shop, ask } = await consoleOfFile()

const IBAN = 'DE89370400440532013000'

const isForOperators = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'permission' in value
const all = Object.entries(endpoints as Record<string, unknown>).filter(([, one]) => isForOperators(one)) as [
  string,
  OperatorEndpoint,
][]
const READS = all.filter(([, { method, url }]) => method === 'GET' && !url.endsWith('/live'))

let lived: LivedIn
const secrets = new Map<string, string>()
const ids = new Map<string, readonly string[]>()

type Table = 'customers' | 'orders' | 'payments' | 'connections' | 'conversations' | 'withdrawals'

const idsIn = async (table: Table) => {
  const { rows } = await sql<{ id: string }>`select id::text from ${sql.table(table)}`.execute(shop.db)
  return rows.map(({ id }) => id)
}

beforeAll(async () => {
  lived = await liveIn(shop)
  const [ada] = lived.customers
  if (!ada) throw new Error('Nobody lives there')
  for (const [name, secret] of Object.entries(await aGuard(shop, ada.id))) secrets.set(name, secret)
  const file = await shop.call('GET', '/api/v1/user/data', { token: ada.token })
  for (const one of file.body.connections) {
    secrets.set(`private key of ${one._id}`, one.clientPrivateKey)
    secrets.set(`preshared key of ${one._id}`, one.presharedKey)
  }
  expect(secrets.size).toBeGreaterThan(12)
  expect(file.text).toContain(IBAN)
  secrets.set('bank account', IBAN)
  secrets.set('session', ada.token)
  secrets.set('agent', lived.agent.secret)
  const hashes = await sql<{ hash: string }>`select password_hash as hash from customers`.execute(shop.db)
  secrets.set('password hash', hashes.rows[0]?.hash ?? '')
  ids.set('customerId', await idsIn('customers'))
  ids.set('orderId', await idsIn('orders'))
  ids.set('paymentId', await idsIn('payments'))
  ids.set('connectionId', await idsIn('connections'))
  ids.set('conversationId', await idsIn('conversations'))
  ids.set('name', ['London', 'Leeds'])
  ids.set('partnerId', await idsIn('customers'))
  ids.set('withdrawalId', await idsIn('withdrawals'))
  expect(ids.get('withdrawalId')).toHaveLength(1)
  const codes = await sql<{ promocode: string }>`select promocode from customers`.execute(shop.db)
  ids.set(
    'promocode',
    codes.rows.map(({ promocode }) => promocode),
  )
  const papers = await sql<{ year: number; number: number }>`select year, number from invoices`.execute(
    shop.db,
  )
  ids.set(
    'number',
    papers.rows.map(({ year, number }) => invoiceNumber(year, number)),
  )
  ids.set('month', [new Date().toISOString().slice(0, 7)])
  // Nobody here has any.
  for (const name of ['disputeId', 'batchId', 'statementId', 'incidentId'])
    ids.set(name, ['00000000-0000-4000-8000-000000000000'])
  await until(async () => (await idsIn('payments')).length > 5)
}, 120_000)

const TODAY = isoDay(new Date())
const MONTH = [`month=${TODAY.slice(0, 7)}`]
const QUARTER = [`quarter=${quarterOf(TODAY)}`]

const wordsToSearch = () =>
  ['ada', 'küche', IBAN, ...lived.customers.map(({ email }) => email)].map(
    (words) => `words=${encodeURIComponent(words)}`,
  )

/** What those have to be asked with that do not answer without it. */
const QUERIES: Readonly<Record<string, () => readonly string[]>> = {
  '/api/v1/search': wordsToSearch,
  '/api/v1/customer-search': wordsToSearch,
  '/api/v1/comparison': () => [`day=${TODAY}`],
  '/api/v1/month-check': () => MONTH,
  '/api/v1/books/files': () => MONTH,
  '/api/v1/books/file': () => MONTH.map((month) => `${month}&part=1`),
  '/api/v1/vat-return': () => MONTH,
  '/api/v1/vat-return.csv': () => MONTH,
  '/api/v1/oss-return': () => QUARTER,
  '/api/v1/oss-return.csv': () => QUARTER,
}

/** Each address that an endpoint has here. */
const pathsOf = ({ url }: OperatorEndpoint): string[] => {
  const [, parameter] = /:(\w+)/.exec(url) ?? []
  if (parameter === undefined) return QUERIES[url]?.().map((query) => `${url}?${query}`) ?? [url]
  const known = ids.get(parameter)
  if (!known) throw new Error(`Nothing to ask ${url} with`)
  return known.map((id) => url.replace(`:${parameter}`, id))
}

describe('of a shop that people live in', () => {
  test.each(READS)('%s tells an owner no key, no hash and no bank account in full', async (_, endpoint) => {
    const owner = await anOperator(shop.db)
    for (const path of pathsOf(endpoint)) {
      const { text, status } = await ask(owner, 'GET', path)
      expect(status, `${path}: ${text}`).toBeLessThan(500)
      expect(status, `what to ask ${path} with`).not.toBe(422)
      for (const [name, secret] of secrets) expect(text.includes(secret), `${name} at ${path}`).toBe(false)
      expect(text).not.toContain('4000000000000077')
    }
  })

  const NAMELESS = READS.filter(
    ([, { record }]) => record === 'reads' || ('opens' in record && record.opens === 'search'),
  )

  test.each(NAMELESS)('%s tells nobody who a customer is', async (_, endpoint) => {
    const viewer = await anOperator(shop.db, 'viewer')
    for (const path of pathsOf(endpoint)) {
      const { text, status } = await ask(viewer, 'GET', path)
      if (status === 403) return
      for (const { email, name } of lived.customers) {
        expect(text).not.toContain(email)
        if (name.includes(' ')) expect(text).not.toContain(name)
      }
      expect(text).not.toContain('Küche')
    }
  })
})
