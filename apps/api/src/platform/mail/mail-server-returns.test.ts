import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createMailer, NOT_THERE_ERRORS } from '#platform/mail/mailer.ts'
import { createRetryOnRecovery } from '#platform/queue/retry-on-recovery.ts'
import { uniqueEmail } from '#testing/customers.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

/** The way to a mail server, which can be closed: connections are then dropped. */
const aMailServerThatLeaves = async () => {
  let port = 0
  let isThere = false
  const door = createServer((client) => {
    client.on('error', () => undefined)
    if (!isThere) return client.destroy()
    const server = connect(port, '127.0.0.1')
    server.on('error', () => client.destroy())
    return client.pipe(server).pipe(client)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  onTestFinished(() => void door.close())
  return {
    url: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`,
    leadTo: (smtpPort: number) => {
      port = smtpPort
    },
    comeBack: () => {
      isThere = true
    },
  }
}

/** A shop whose mail server is away, and people whose mails have been tried so often that the next try is hours off. */
const aShopWithMailsThatWait = async (env = {}, people = 3) => {
  const server = await aMailServerThatLeaves()
  const shop = await startTestShop({ env: { SMTP_URL: server.url, ...env } })
  server.leadTo(shop.sandbox.smtpPort)
  const waiting = Array.from({ length: people }, () => uniqueEmail())
  for (const email of waiting) await signUp(shop, email)
  const failed = sql`select id from graphile_worker._private_jobs
    where last_error like 'The mail server was not there:%' and locked_at is null`
  await until(async () => (await failed.execute(shop.db)).rows.length === waiting.length)
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '3 hours', attempts = 9
    where last_error is not null`.execute(shop.db)
  return { shop, server, waiting }
}

const signUp = async (shop: TestShop, email: string, headers = {}) => {
  const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
  await shop.call('POST', '/api/v1/user/create', { body, headers })
}

const arrived = (shop: TestShop, emails: readonly string[]) =>
  Promise.all(emails.map((email) => mailbox(shop).latest(email, 'Confirm your email')))

test('mails that wait for the mail server leave with the first that it takes again, but not one that it refused', async () => {
  const { shop, server, waiting } = await aShopWithMailsThatWait()
  const [refused = ''] = waiting
  await sql`update graphile_worker._private_jobs set last_error = 'The mail was not taken: EENVELOPE RCPT TO 550'
    where payload->>'customerId' = (select id::text from customers where email = ${refused})`.execute(shop.db)
  server.comeBack()
  const later = uniqueEmail()
  await signUp(shop, later)
  await arrived(shop, [...waiting.slice(1), later])
  const inHours = async () => {
    const { rows } = await sql<{ in_hours: number }>`
      select extract(epoch from run_at - now()) / 3600 as in_hours from graphile_worker._private_jobs
      where last_error is not null`.execute(shop.db)
    return rows.map(({ in_hours }) => Number(in_hours))
  }
  // A mail arrives a moment before its job is done.
  await expect.poll(inHours).toHaveLength(1)
  expect((await inHours())[0]).toBeGreaterThan(1)
})

test('tries in vain do not count for what a mailbox gets: the mail leaves all the same', async () => {
  // One link an hour for each mailbox.
  const env = { RATE_LIMIT_SCALE: '0.1', TRUSTED_PROXIES: '127.0.0.1/32' }
  const { shop, server, waiting } = await aShopWithMailsThatWait(env, 1)
  server.comeBack()
  const later = uniqueEmail()
  // From elsewhere: a line has its share of the ceiling.
  await signUp(shop, later, { 'x-forwarded-for': '203.0.113.7' })
  await arrived(shop, [...waiting, later])
})

test('a mail server that is back is noticed without a mail', async () => {
  const { shop, server, waiting } = await aShopWithMailsThatWait()
  const mailer = createMailer({ ...shop.settings })
  onTestFinished(mailer.close)
  const log = { info: () => undefined, warn: () => undefined }
  const outside = { name: 'mail server', errors: NOT_THERE_ERRORS, probe: mailer.isThere }
  const recovery = createRetryOnRecovery({ db: shop.db, log }, outside, 20)
  onTestFinished(recovery.stop)
  server.comeBack()
  await arrived(shop, waiting)
})

test('a mail server that comes and goes has each mail tried no more often than twice a minute', async () => {
  const shop = await startTestShop()
  const addWaiting = async () => {
    await sql`select graphile_worker.add_job('mail-reset', '{}'::json, run_at := now() + interval '3 hours')`.execute(
      shop.db,
    )
    await sql`update graphile_worker._private_jobs set last_error = 'The mail server was not there: ESOCKET'
      where run_at > now() + interval '1 hour'`.execute(shop.db)
  }
  const lines: unknown[] = []
  const log = { info: (line: unknown) => lines.push(line), warn: () => undefined }
  const recovery = createRetryOnRecovery(
    { db: shop.db, log },
    { name: 'mail server', errors: NOT_THERE_ERRORS },
  )
  await addWaiting()
  recovery.answered()
  await until(() => lines.length === 1)
  await addWaiting()
  recovery.failed()
  recovery.answered()
  await recovery.stop()
  const { rows } = await sql`select from graphile_worker.jobs where run_at > now() + interval '1 hour'
    and task_identifier = 'mail-reset'`.execute(shop.db)
  expect(rows).toHaveLength(1)
})
