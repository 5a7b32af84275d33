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

/** A word that stands in all that people and operators write. */
const WRITTEN = 'Xanthippe'

/** Each column in which people write what they like, with what puts the word there; or what else stands there. */
const WORDS: Readonly<Record<string, ReturnType<typeof sql> | string>> = {
  'canned_replies.text': 'for all customers, by operators',
  'canned_replies.title': 'for all customers, by operators',
  'cancellation_statements.contract': sql`insert into cancellation_statements (id, name, email, contract, message, is_acknowledged)
    values (gen_random_uuid(), ${WRITTEN}, ${`${WRITTEN}@example.org`}, ${WRITTEN}, ${WRITTEN}, true)`,
  'cancellation_statements.message': 'with the contract',
  'closed_months.reason': 'masked: closing.test.ts',
  'conversation_messages.text': sql`update conversation_messages set text = ${`${WRITTEN} asks for help`}`,
  'customer_notes.text': sql`insert into customer_notes (id, customer_id, operator_id, text)
    select gen_random_uuid(), customers.id, operators.id, ${WRITTEN} from customers, operators`,
  'disputes.reason': 'a code of the card network',
  'goodwill_days.reason': 'one of a few words',
  'incident_updates.text': 'published',
  'incidents.title': 'published',
  'node_upgrades.reason': 'by the node’s agent',
  'nodes.faults': 'by the node’s agent',
  'payouts.reference': 'made by the shop',
  'refunds.reason': 'one of a few words',
  'settlement_operations.explanation': 'shown by acts of those who keep the books',
  'withdrawals.reason': 'masked: withdrawals.test.ts',
  'withdrawals.reference': 'masked: withdrawals.test.ts',
}

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
  await anOperator(shop.db)
  for (const plant of Object.values(WORDS)) if (typeof plant !== 'string') await plant.execute(shop.db)
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
  '/api/v1/month-statement': () => MONTH,
  '/api/v1/month-statement.csv': () => MONTH,
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
  test('every column in which people write what they like is among those that are looked for', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and column_name in ('text', 'title', 'message', 'contract',
        'reason', 'reference', 'explanation', 'note', 'notes', 'comment', 'remark', 'faults')`.execute(
      shop.db,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(WORDS).toSorted())
  })

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
      expect(text).not.toContain(WRITTEN)
    }
  })
})
