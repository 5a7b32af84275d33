import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import type { Endpoint, Limit } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import type { InvoiceData } from '@hedgerow/documents/invoice-pdf'
import { PAYMENT } from '@hedgerow/documents/testing/payment-facts'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { isPassword } from '#people/passwords/passwords.ts'
import { MAIL_BOUNDS } from '#platform/queue/mail-bounds.ts'
import { createPdfMaker } from '#sales/invoices/pdf-maker.ts'
import { aCustomer, aSession } from '#testing/customers.ts'
import { limitInWords } from '#testing/limits.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** The API's sources. */
const API = fileURLToPath(new URL('..', import.meta.url))

const DOCUMENT = readFileSync(
  new URL('../../../../docs/security/costly-functions.md', import.meta.url),
  'utf8',
)

/** What the document says of a function: how many are done or wait at most, in a process. */
const mostOf = (name: string): number => {
  const row = DOCUMENT.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? ''
  const [, , , atOnce, waiting] = row.split('|').map((cell) => cell.trim())
  return Number(atOnce) + Number(waiting)
}

/** Rows of the table that begins so, without their bars. */
const rowsOf = (heading: string): string[][] => {
  const [, table = ''] = DOCUMENT.split(`${heading}\n`)
  const lines = table.split('\n')
  return lines
    .slice(
      1,
      lines.findIndex((line, i) => i > 0 && !line.startsWith('|')),
    )
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

test('every endpoint without a log-in stands in the document, with its limits', () => {
  const open = Object.values(endpoints as Record<string, unknown>).filter(
    (one): one is Endpoint =>
      typeof one === 'object' &&
      one !== null &&
      'url' in one &&
      ['anyone', 'gateway', 'issuer'].includes((one as Endpoint).access),
  )
  const inDocument = ({ method, url, limits = [] }: Endpoint) => [
    `\`${method} ${url}\``,
    (limits as readonly Limit[])
      .map((limit) => limitInWords(limit) + ('counts' in limit ? ` (${limit.counts})` : ''))
      .join('; ') || 'those of all calls',
  ]
  const rows = rowsOf('| endpoint | cost | limits |').map(([, endpoint, , limits]) => [endpoint, limits])
  expect(rows.toSorted()).toEqual(open.map(inDocument).toSorted())
})

test('every mail stands in the document, with whom it goes to and its ceiling', () => {
  const rows = rowsOf('| mail | to | ceiling |').flatMap(([, names = '', to, ceiling = '']) =>
    names.split(', ').map((name) => [name, to, ceiling.split(':')[0]]),
  )
  const bounds = Object.entries(MAIL_BOUNDS).map(([name, { to, most, minutes }]) => [
    name,
    to,
    most === undefined ? 'none' : `${most} in ${minutes} minutes`,
  ])
  expect(rows.toSorted()).toEqual(bounds.toSorted())
})

test('what a stranger can have mailed has a ceiling', () => {
  for (const [name, { to, most }] of Object.entries(MAIL_BOUNDS))
    if (to === 'anyone') expect([name, most]).toEqual([name, expect.any(Number)])
})

/** Each function in a file of mails, with all that its file does to send them. */
const mailFunctions = () =>
  globSync('**/*.mails.ts', { cwd: API }).flatMap((file) => {
    const parts = readFileSync(join(API, file), 'utf8').split(/^(?=(?:export )?const )/m)
    const sendsToOperator = (text: string): boolean =>
      /\boperatorMail\(/.test(text) || helpers.some((name) => text.includes(`${name}(`))
    const nameOf = (text: string) => /^(?:export )?const (\w+)/.exec(text)?.[1] ?? ''
    const helpers: string[] = []
    helpers.push(...parts.filter((text) => !text.startsWith('export') && sendsToOperator(text)).map(nameOf))
    return parts.map((text) => [nameOf(text), sendsToOperator(text)] as const)
  })

test('a mail goes to the operator if and only if it is declared so', () => {
  const toOperator = new Map(mailFunctions())
  const tasks = readFileSync(join(API, 'jobs/tasks.ts'), 'utf8')
  const found = [...tasks.matchAll(/'(mail-[\w-]+)': .*=> (\w+)\(/g)].map(([, kind = '', name = '']) => [
    kind,
    toOperator.get(name),
  ])
  const declared = Object.entries(MAIL_BOUNDS).map(([kind, { to }]) => [kind, to === 'operator'])
  expect(found.toSorted()).toEqual(declared.toSorted())
})

const TOO_MANY = 5

/** Starts a few more than there is room for. Returns how many were done, and how many were refused for now. */
const countOutcomes = async (most: number, start: () => Promise<unknown>) => {
  expect(most).toBeGreaterThan(10)
  const all = await Promise.allSettled(Array.from({ length: most + TOO_MANY }, async () => start()))
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  for (const reason of refused)
    expect(reason).toMatchObject({ status: 503, extras: { retryAfterSeconds: expect.any(Number) } })
  return { done: all.length - refused.length, refused: refused.length }
}

test('passwords that are checked at once are as many as the document says', async () => {
  // The first of all also hashes the decoy.
  await isPassword('nobody', undefined)
  const most = mostOf('check or hash a password')
  const outcomes = await countOutcomes(most, () => isPassword('a guess', undefined))
  expect(outcomes).toEqual({ done: most, refused: TOO_MANY })
})

const RECORD: InvoiceData = {
  kind: 'record',
  issuer: DEFAULT_BRAND,
  made: new Date(),
  payment: PAYMENT,
}

test('documents that are laid out at once are as many as the document says', async () => {
  const pdfs = createPdfMaker()
  onTestFinished(pdfs.close)
  const most = mostOf('lay out an invoice')
  expect(await countOutcomes(most, () => pdfs.make(RECORD))).toEqual({ done: most, refused: TOO_MANY })
  // A later call is served.
  expect((await pdfs.make(RECORD)).subarray(0, 4).toString()).toBe('%PDF')
})

test('accounts that are exported at once are as many as the document says, and others go on meanwhile', async () => {
  const most = mostOf('export an account')
  const customer = await aCustomer(shop)
  const tokens = await Promise.all(Array.from({ length: most + TOO_MANY }, () => aSession(shop, customer.id)))
  const replies: Reply[] = []
  let all: Promise<unknown> = Promise.resolve()
  await shop.db.transaction().execute(async (trx) => {
    // Each export waits here until the transaction is over.
    await sql`lock table invoices in access exclusive mode`.execute(trx)
    all = Promise.all(
      tokens.map(async (token) => replies.push(await shop.call('GET', '/api/v1/user/data', { token }))),
    )
    await expect.poll(() => replies.length).toBe(TOO_MANY)
    expect((await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).status).toBe(200)
  })
  for (const reply of replies)
    expect(Number(expectProblem(reply, 503).headers.get('retry-after'))).toBeGreaterThan(0)
  await all
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(most)
})
