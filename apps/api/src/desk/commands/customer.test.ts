import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { anEarning } from '#testing/partners.ts'
import { aPurchase, CARDS, challengeOf, connectionsOf, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const settings = () => ({ ...opsSettings(shop), ...shop.env, PUBLIC_URL: shop.url })
const customer = (...args: string[]) => runOps(settings(), 'customer', ...args)

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-customer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('ops customer find', () => {
  const idsOf = async (...args: string[]) =>
    (await customer('find', '--json', ...args)).json.customers.map(({ id }: { id: string }) => id)

  test('finds an account by all that its holder may tell', async () => {
    const name = `Zaphod ${randomUUID().slice(0, 6)}`
    const email = uniqueEmail('zaphod')
    const holder = await aCustomer(shop, { name, email })
    const { paymentId, order } = await aPurchase(shop, {}, {}, holder)
    const [connection] = await connectionsOf(shop, paymentId)
    const { promocode } = (await shop.call('GET', '/api/v1/user/profile', { token: holder.token })).body
    await aPurchase(shop)
    for (const words of [
      email.slice(0, -4),
      email.split('@')[0]?.toUpperCase() ?? '',
      name.slice(3).toLowerCase(),
      promocode.toLowerCase(),
      paymentId,
      order.orderId,
      holder.id,
      connection?.id ?? '',
    ])
      expect(await idsOf(words), words).toEqual([holder.id])
    expect(await idsOf('0077')).toContain(holder.id)
    const { out } = await customer('find', email.toUpperCase())
    expect(out).toMatch(
      new RegExp(`^CUSTOMER +EMAIL +NAME +SINCE +CONFIRMED\n${holder.id} +${email} +${name} .* yes\n$`),
    )
  })

  test('finds nobody by words that stand for anything elsewhere', async () => {
    await aCustomer(shop)
    for (const words of ['%%', '__', '\\\\', "x' or 'x'='x", 'nobody@nowhere'])
      expect((await customer('find', words)).out).toBe('No customers found.\n')
  })

  test('says when there are more', async () => {
    const name = `Ford ${randomUUID().slice(0, 6)}`
    for (let made = 0; made < 3; made++) await aCustomer(shop, { name })
    const { out } = await customer('find', name, '--limit', '2')
    expect(out.split('\n')).toHaveLength(5)
    expect(out).toMatch(/There are more than these 2\./)
  })

  test.each(['', 'x', 'x'.repeat(201), 'a\nb'])('refuses %j as words', async (words) => {
    const { code, err } = await customer('find', words)
    expect(err).toMatch(/^error: [\s\S]*Expected one line of 2 to 200 characters/)
    expect(code).toBe(2)
  })

  test('leaves the words out of the record, unless they are an id', async () => {
    const holder = await aCustomer(shop, { name: 'Slartibartfast' })
    await customer('find', 'Slartibart')
    await customer('find', holder.id)
    const { json } = await runOps(
      settings(),
      'audit',
      'list',
      '--command',
      'customer find',
      '--limit',
      '2',
      '--json',
    )
    expect(json.rows).toMatchObject([
      { arguments: { words: holder.id }, subject: holder.id },
      { arguments: {}, subject: null },
    ])
  })
})

describe('ops customer show', () => {
  test('tells all there is to say of an account, but no key and no card', async () => {
    const { customer: holder, paymentId, order } = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, paymentId)
    const { out, code } = await customer('show', holder.email.toUpperCase())
    expect(out).toMatch(new RegExp(`^Customer +${holder.id}\nEmail +${holder.email}\nConfirmed +\\d\\d/`))
    expect(out).toMatch(
      /Partner +level 1, 10%; 0 crossings, 0 transactions\nEUR +nothing yet\nGBP +nothing yet\n/,
    )
    for (const part of [order.orderId, paymentId, connection?.id ?? '']) expect(out).toContain(part)
    expect(code).toBe(0)
    const told = await customer('show', holder.id.toUpperCase(), '--json')
    expect(told.json).toMatchObject({
      id: holder.id,
      email: holder.email,
      orders: [{ id: order.orderId, status: 'Completed' }],
      payments: [{ id: paymentId, status: 'Success' }],
      partnership: { level: 1, percentage: 10, balances: [{ currency: 'EUR', available: '0.00' }, {}] },
    })
    expect(told.json.connections).toHaveLength(3)
    expect(told.json.hasMore).toEqual({ orders: false, payments: false, connections: false })
    const two = await customer('show', holder.id, '--limit', '2')
    expect(two.out.match(/These are the newest 2\b/g)).toHaveLength(1)
    for (const text of [out, told.out]) {
      expect(text).not.toMatch(/private|preshared|argon2|0077/i)
      expect(text).not.toMatch(/[A-Za-z0-9+/]{43}=/)
    }
  })

  test('says of an account without anything that it has nothing', async () => {
    const holder = await aCustomer(shop, { isConfirmed: false })
    const { out } = await customer('show', holder.id)
    expect(out).toMatch(/Confirmed +no\n/)
    expect(out).toContain('\nOrders: none\n\nPayments: none\n\nConnections: none\n')
  })

  test.each([
    ['nobody@example.org', 'No account has this email address.\n'],
    [randomUUID(), /^There is no account [\da-f-]+\.\n$/],
    ['nonsense', 'There is no account nonsense.\n'],
  ])('of %s says that there is none', async (who, words) => {
    for (const command of ['show', 'resend-confirmation', 'export', 'erase']) {
      const { code, err, out } = await customer(command, who)
      expect(err).toMatch(words)
      expect(out).toBe('')
      expect(code).toBe(1)
    }
  })
})

describe('ops customer resend-confirmation', () => {
  test('sends the mail once more, to who has not confirmed', async () => {
    const holder = await aCustomer(shop, { isConfirmed: false })
    expect((await customer('resend-confirmation', holder.email)).out).toContain(
      `to ${holder.email} is queued`,
    )
    await mailbox(shop).latest(holder.email, 'Confirm your email')
  })

  test('refuses where it is confirmed', async () => {
    const holder = await aCustomer(shop)
    const { code, err } = await customer('resend-confirmation', holder.id)
    expect(err).toMatch(/^The account was confirmed on .*\n$/)
    expect(code).toBe(1)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(holder.email, 'Confirm your email')).toEqual([])
  })
})

describe('ops customer export', () => {
  test('gives what the customer’s own download gives', async () => {
    const { customer: holder, order } = await aPurchase(shop)
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: holder.token })
    await queueIsEmpty(shop)
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: holder.token })
    const { json, code } = await customer('export', holder.email)
    const { exportedAt, operatorActions, ...data } = json
    const { exportedAt: _, operatorActions: __, ...own } = body
    // The mail that tells of the download may have left between the two.
    const withoutItsMail = ({ jobs, securityEvents, ...rest }: Json) => ({
      ...rest,
      jobs: jobs.filter(({ task }: Json) => task !== 'mail-security-change'),
      securityEvents: securityEvents.map(({ mailTo, ...event }: Json) => event),
    })
    expect(withoutItsMail(data)).toEqual(withoutItsMail(own))
    expect(Date.parse(exportedAt)).toBeGreaterThan(0)
    expect(operatorActions).toMatchObject([{ command: 'customer export', outcome: 'under way' }])
    expect(code).toBe(0)
  })

  test('writes it where nobody else can read it, and over nothing', async () => {
    const holder = await aCustomer(shop)
    const file = join(await aFolder(), 'data.json')
    const first = await customer('export', holder.id, '--out', file)
    expect(first.err).toBe('')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8')).account.email).toBe(holder.email)
    await writeFile(file, 'mine')
    const again = await customer('export', holder.id, '--out', file)
    expect(again.err).toMatch(/^Nothing was written to .*: the file already exists\.\n$/)
    expect(again.code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('mine')
    const nowhere = await customer('export', holder.id, '--out', join(file, 'x'))
    expect(nowhere.err).toMatch(/^Nothing was written to .*\(ENOTDIR\)\.\n$/)
    const { json } = await runOps(settings(), 'audit', 'list', '--subject', holder.id, '--json')
    expect(JSON.stringify(json)).not.toContain('data.json')
  })
})

describe('ops customer erase', () => {
  const isThere = async (id: string) =>
    (await sql`select from customers where id = ${id}`.execute(shop.db)).rows.length > 0

  test('asks, and does nothing without a yes', async () => {
    const holder = await aCustomer(shop)
    const { code, err } = await customer('erase', holder.email)
    expect(err).toMatch(/^Erase the account of .* This cannot be undone\. There is no terminal to answer in/)
    expect(code).toBe(1)
    const asked = await runOpsAtTerminal(settings(), 'n\n', 'customer', 'erase', holder.email)
    expect(asked.code).toBe(1)
    expect(await isThere(holder.id)).toBe(true)
    expect((await runOpsAtTerminal(settings(), 'y\n', 'customer', 'erase', holder.email)).code).toBe(0)
    expect(await isThere(holder.id)).toBe(false)
  })

  test('erases as the profile does: sessions end, invoices stay, a last mail says so; and once', async () => {
    const { customer: holder, order } = await aPurchase(shop)
    const { code, out } = await customer('erase', holder.id, '--yes')
    expect(out).toBe('The account is erased. The customer gets a last mail that says so.\n')
    expect(code).toBe(0)
    await mailbox(shop).latest(holder.email, 'has been deleted')
    expect((await shop.call('GET', '/api/v1/user/profile', { token: holder.token })).status).toBe(401)
    const invoices = await shop.db
      .selectFrom('invoices')
      .select('order_id')
      .where('order_id', '=', order.orderId)
      .execute()
    expect(invoices).toHaveLength(1)
    expect((await customer('erase', holder.id, '--yes')).err).toBe(`There is no account ${holder.id}.\n`)
    const { json } = await runOps(settings(), 'audit', 'list', '--subject', holder.id, '--json')
    expect(json.rows).toMatchObject([
      { command: 'customer erase', outcome: 'refused' },
      { command: 'customer erase', outcome: 'done' },
    ])
    expect(JSON.stringify(json)).not.toContain('@example')
  })

  test('refuses while a payment is under way, and says why', async () => {
    const holder = await aCustomer(shop)
    const paymentId = await startPayment(shop, holder, await anOrder(shop, holder), { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const { code, err } = await customer('erase', holder.email, '--yes')
    expect(err).toBe('Not erased. A payment of this account is under way. Wait until it has ended.\n')
    expect(code).toBe(1)
    expect(await isThere(holder.id)).toBe(true)
  })

  test('refuses while a withdrawal waits, and says what to do first', async () => {
    const holder = await aCustomer(shop)
    await anEarning(shop, holder.id, 30_000)
    const bank = { accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' }
    const body = { currency: 'EUR', amount: 250, ...bank }
    await shop.call('POST', '/api/v1/partnership/withdrawals', { token: holder.token, body })
    const { code, err } = await customer('erase', holder.id, '--yes')
    expect(err).toMatch(/^Not erased\. A withdrawal of this account is waiting\./)
    expect([code, await isThere(holder.id)]).toEqual([1, true])
  })

  test('of two at once, one erases', async () => {
    const holder = await aCustomer(shop)
    const outcomes = await Promise.all([1, 2].map(() => customer('erase', holder.id, '--yes', '--json')))
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
    for (const { err } of outcomes) expect(err).not.toMatch(/\n {4}at /)
  })

  test('in production it wants the true company, which an invoice may name', async () => {
    const { code, err } = await runOps(
      { ...settings(), NODE_ENV: 'production' },
      'customer',
      'erase',
      'x@y.z',
      '--yes',
    )
    expect(err).toMatch(/BRAND_COMPANY is required in production/)
    expect(code).toBe(2)
  })
})
