import { randomUUID } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { mailbox, type ReceivedMail } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { openGround, startFront } from '#testing/test-shop.ts'

const JOBS = ['mail-conversation', 'mail-conversation-received']
const END_OF_MAIL = '\r\n.\r\n'

/** How the mail server fares: away, cut off once it has a mail and before it can say so, or well. */
type Fault = 'away' | 'forgets to answer' | undefined

/** Stands between the shop and its mail server. */
const startMailProxy = async (port: number, fault: { is: Fault }) => {
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (fault.is === 'away') return client.destroy()
    const upstream = connect(port, '127.0.0.1')
    upstream.on('error', () => undefined)
    let hasMail = false
    client.on('data', (chunk) => {
      hasMail ||= chunk.includes(END_OF_MAIL)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (hasMail && fault.is === 'forgets to answer') client.destroy()
      else client.write(chunk)
    })
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

/** A shop whose mail fares so, and a support message that was sent to it. */
const aMessageWhileMailIs = async (is: Fault) => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const fault = { is }
  const port = await startMailProxy(ground.sandbox.smtpPort, fault)
  const front = await startFront({ ...ground, env: { ...ground.env, SMTP_URL: `smtp://127.0.0.1:${port}` } })
  onTestFinished(front.stop)
  const shop = { ...ground, ...front }
  const customer = await aCustomer(shop)
  const body = { id: randomUUID(), name: 'Ada', problem: 'The tunnel drops every night' }
  const reply = await shop.call('POST', '/api/v1/support', { token: customer.token, body })
  expect(reply.status).toBe(201)
  await until(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = any(${JOBS}) and last_error is not null and locked_at is null`.execute(shop.db)
    return rows.length === 2
  })
  const mend = async () => {
    fault.is = undefined
    for (const job of JOBS) await hurry(shop, job)
    await queueIsEmpty(shop)
  }
  return { shop, customer, operator: front.settings.operatorEmail, mend }
}

test('a support message is taken while mail is down, and mailed once it is back', async () => {
  const { shop, customer, operator, mend } = await aMessageWhileMailIs('away')
  expect(await mailbox(shop).list(operator, '')).toEqual([])
  await mend()
  expect((await mailbox(shop).latest(operator, 'Support message')).replyTo).toBe(customer.email)
  expect(await mailbox(shop).list(operator, 'Support message')).toHaveLength(1)
  expect(await mailbox(shop).list(customer.email, 'We received your message')).toHaveLength(1)
})

test('a mail that goes out twice, because it was not known that it had gone, is one to mail programs', async () => {
  const { shop, customer, operator, mend } = await aMessageWhileMailIs('forgets to answer')
  await mend()
  for (const to of [operator, customer.email]) {
    const mails = await mailbox(shop).list(to, '')
    expect(mails).toHaveLength(2)
    const ids = mails.map(async ({ id }) => {
      const mail = await fetch(`${shop.sandbox.url}/mail/messages/${id}`)
      return ((await mail.json()) as ReceivedMail).messageId
    })
    const [first, second] = await Promise.all(ids)
    expect(first).toMatch(/^<(operator|customer)-.+@127\.0\.0\.1>$/)
    expect(second).toBe(first)
  }
})
