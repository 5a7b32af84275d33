import { webhookPauseS } from '@hedgerow/domain/webhook-events'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { formerSecretOwner, webhookSecretOwner } from '#care/webhooks/secret-owners.ts'
import { deleteOldDeliveries } from '#care/webhooks/webhooks.service.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { letOperatorProofAge } from '#testing/operators.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { aReceiver, type Message, sentUntil } from '#testing/webhooks.ts'

const { shop, ask } = await consoleOfFile()

beforeEach(async () => {
  await sql`delete from webhook_deliveries`.execute(shop.db)
  await sql`delete from webhook_endpoints`.execute(shop.db)
})

const owner = () => anOperator(shop.db)

type Made = { id: string; secret: string }

const aWebhook = async (url: string, events: readonly string[] = ['order.paid']): Promise<Made> => {
  const { status, body } = await ask(await owner(), 'POST', '/api/v1/webhooks', { body: { url, events } })
  expect(status).toBe(201)
  return body as Made
}

const opened = ({ secret }: Made, { headers, body }: Message) =>
  new Webhook(secret).verify(body, headers) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }

const deliveries = () => shop.db.selectFrom('webhook_deliveries').selectAll().orderBy('happened_at').execute()

const endpoint = ({ id }: Pick<Made, 'id'>) =>
  shop.db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const act = async ({ id }: Pick<Made, 'id'>, what: string, method = 'POST') =>
  ask(await owner(), method, `/api/v1/webhooks/${id}${what}`)

/** As if so much time had passed for what waits. */
const letWaitPass = () =>
  sql`update webhook_deliveries set next_try_at = now() where next_try_at is not null`.execute(shop.db)

describe('a message', () => {
  test('tells of a paid order and its connections, signed as standard webhooks are, with ids and sums alone', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url, ['order.paid', 'connection.delivered'])
    const { order, paymentId, customer } = await aPurchase(shop)
    const connections = await connectionsOf(shop, paymentId)
    await sentUntil(shop, () => receiver.messages.length === 1 + connections.length)
    const told = receiver.messages.map((message) => opened(webhook, message))
    expect(told.find(({ type }) => type === 'order.paid')?.data).toEqual({
      orderId: order.orderId,
      paymentId,
      method: 'card',
      total: { minor: 3000, currency: 'EUR' },
      charged: { minor: 3000, currency: 'EUR' },
      connections: connections.length,
      days: expect.any(Number),
    })
    expect(
      told
        .flatMap(({ type, data }) => (type === 'connection.delivered' ? [data.connectionId] : []))
        .toSorted(),
    ).toEqual(connections.map(({ id }) => id).toSorted())
    for (const personal of [customer.email, customer.name, customer.id])
      expect(JSON.stringify(receiver.messages)).not.toContain(personal)
    const [message] = receiver.messages
    expect(() => new Webhook(webhook.secret).verify(`${message?.body} `, message?.headers ?? {})).toThrow()
  })

  test('is told to those who asked for its event, and to nobody while they are turned off', async () => {
    const receiver = await aReceiver()
    await aWebhook(receiver.url, ['payment.refunded'])
    const off = await aWebhook(receiver.url, ['order.paid'])
    expect((await act(off, '/disable')).status).toBe(200)
    await aPurchase(shop)
    expect(await deliveries()).toEqual([])
  })

  test('is recorded with what happened, or not at all', async () => {
    await aWebhook((await aReceiver()).url, ['payment.refunded'])
    const { paymentId } = await aPurchase(shop)
    const refund = sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
      values (gen_random_uuid(), ${paymentId}, 300, 'operator', 'Success', now())`
    await shop.db
      .transaction()
      .execute(async (trx) => {
        await refund.execute(trx)
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await deliveries()).toEqual([])
    await refund.execute(shop.db)
    expect(await deliveries()).toMatchObject([
      {
        event: 'payment.refunded',
        data: { paymentId, reason: 'operator', sum: { minor: 300, currency: 'EUR' } },
      },
    ])
  })

  test('tells of a dispute when it is opened and at each change', async () => {
    await aWebhook((await aReceiver()).url, ['dispute.opened', 'dispute.changed'])
    const { paymentId } = await aPurchase(shop)
    await sql`insert into disputes (payment_id, amount_minor, currency, respond_by)
      values (${paymentId}, 100, 'EUR', now())`.execute(shop.db)
    await sql`update disputes set answered_at = now() where payment_id = ${paymentId}`.execute(shop.db)
    await sql`update disputes set status = 'won', ended_at = now() where payment_id = ${paymentId}`.execute(
      shop.db,
    )
    expect((await deliveries()).map(({ event, data }) => [event, data.status])).toEqual([
      ['dispute.opened', 'open'],
      ['dispute.changed', 'won'],
    ])
  })

  test('tells of a connection’s end once: at its time, or when it is ended before', async () => {
    const receiver = await aReceiver()
    const { paymentId } = await aPurchase(shop)
    const [first, second] = await connectionsOf(shop, paymentId)
    const webhook = await aWebhook(receiver.url, ['connection.ended'])
    await sql`update webhook_endpoints set ends_told_at = now() - interval '3 hours'`.execute(shop.db)
    await sql`update connections set expires_at = now() where id = ${first?.id}`.execute(shop.db)
    // The end had stood there, and its time came.
    await sql`alter table connections disable trigger connections_record_end`.execute(shop.db)
    await sql`update connections set expires_at = now() - interval '2 hours' where id = ${second?.id}`.execute(
      shop.db,
    )
    await sql`alter table connections enable trigger connections_record_end`.execute(shop.db)
    await sentUntil(shop, () => receiver.messages.length >= 2)
    await sql`update webhook_endpoints set ends_told_at = now() - interval '3 hours'`.execute(shop.db)
    await sentUntil(shop, async () => (await endpoint(webhook)).ends_told_at > new Date(Date.now() - 60_000))
    const ended = receiver.messages.map((message) => opened(webhook, message).data.connectionId)
    expect(ended.toSorted()).toEqual([first?.id, second?.id].toSorted())
  })

  test('tells of an application', async () => {
    await aWebhook((await aReceiver()).url, ['application.received'])
    const customer = await aCustomer(shop)
    for (const kind of ['support', 'application'])
      await sql`insert into conversations (id, kind, customer_id, name)
        values (gen_random_uuid(), ${kind}, ${customer.id}, 'Ada')`.execute(shop.db)
    const [application] = await shop.db
      .selectFrom('conversations')
      .select('id')
      .where('kind', '=', 'application')
      .execute()
    expect((await deliveries()).map(({ event, data }) => [event, data])).toEqual([
      ['application.received', { applicationId: application?.id }],
    ])
  })
})

describe('a receiver that does not take a message', () => {
  test('is tried again under the same id with growing pauses', async () => {
    const receiver = await aReceiver({ status: 500, body: 'x'.repeat(100_000) })
    const webhook = await aWebhook(receiver.url)
    await act(webhook, '/test')
    await sentUntil(shop, () => receiver.messages.length === 1)
    for (const tries of [2, 3]) {
      await letWaitPass()
      await sentUntil(shop, () => receiver.messages.length === tries)
    }
    await sentUntil(shop, async () => (await deliveries())[0]?.failures === 3)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ attempts: 3, failures: 3, status_code: 500, delivered_at: null })
    const pauseS = ((delivery?.next_try_at?.getTime() ?? 0) - Date.now()) / 1_000
    expect(pauseS).toBeGreaterThan((webhookPauseS(3) ?? 0) - 60)
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery?.id]),
    )
    expect(new Set(receiver.messages.map(({ body }) => body)).size).toBe(1)
    receiver.answers({ status: 200 })
    await letWaitPass()
    await sentUntil(shop, async () => (await deliveries())[0]?.delivered_at !== null)
    expect((await endpoint(webhook)).failing_since).toBeNull()
  })

  test('is not followed elsewhere', async () => {
    const other = await aReceiver()
    const receiver = await aReceiver({ status: 307, headers: { location: other.url } })
    await act(await aWebhook(receiver.url), '/test')
    await sentUntil(shop, async () => (await deliveries())[0]?.status_code === 307)
    expect(other.messages).toEqual([])
  })

  test('is turned off after days, and its messages are sent once it is turned on', async () => {
    const receiver = await aReceiver({ status: 503 })
    const webhook = await aWebhook(receiver.url)
    await act(webhook, '/test')
    await act(webhook, '/test')
    await sentUntil(shop, () => receiver.messages.length === 2)
    await sql`update webhook_endpoints set failing_since = now() - interval '4 days'`.execute(shop.db)
    await sql`update webhook_deliveries set failures = 9, next_try_at = now()
      where id = (select id from webhook_deliveries limit 1)`.execute(shop.db)
    await sentUntil(shop, async () => (await endpoint(webhook)).disabled_because === 'failing')
    const rows = (await ask(await owner(), 'GET', '/api/v1/webhook-deliveries?status=failed')).body.rows
    expect(rows).toMatchObject([{ status: 'failed', answer: 503 }])
    const today = (await ask(await owner(), 'GET', '/api/v1/today')).body
    expect(today.alerts).toContainEqual(expect.objectContaining({ name: 'WebhookFailing', list: 'webhooks' }))
    expectProblem(await act(webhook, '/test'), 409)
    expectProblem(await ask(await owner(), 'POST', `/api/v1/webhook-deliveries/${rows[0].id}/send`), 409)
    receiver.answers({ status: 200 })
    expect((await act(webhook, '/enable')).status).toBe(200)
    expect((await ask(await owner(), 'POST', `/api/v1/webhook-deliveries/${rows[0].id}/send`)).status).toBe(
      200,
    )
    await sentUntil(shop, async () => (await deliveries()).every(({ delivered_at }) => delivered_at !== null))
    expect(receiver.messages.at(-1)?.headers['webhook-id']).toBeDefined()
  })

  test('is turned off at once where it says that it is gone', async () => {
    const webhook = await aWebhook((await aReceiver({ status: 410 })).url)
    await act(webhook, '/test')
    await sentUntil(shop, async () => (await endpoint(webhook)).disabled_because === 'gone')
    expect((await deliveries())[0]?.next_try_at).toBeNull()
  })

  test('and never answers holds up no other', async () => {
    const silent = await aWebhook((await aReceiver('hangs')).url)
    for (let n = 0; n < 6; n++) await act(silent, '/test')
    const receiver = await aReceiver()
    await act(await aWebhook(receiver.url), '/test')
    await sentUntil(shop, () => receiver.messages.length === 1)
    expect(
      (await deliveries())
        .filter(({ endpoint_id }) => endpoint_id === silent.id)
        .every((one) => !one.delivered_at),
    ).toBe(true)
  })
})

describe('the secret', () => {
  test('is shown once and kept sealed; the one before signs as well for a day', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url)
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { text } = await ask(await owner(), 'GET', '/api/v1/webhooks')
    expect(text).not.toContain(webhook.secret)
    const { body: renewed } = await act(webhook, '/secret')
    const { secret_encrypted, former_secret_encrypted } = await endpoint(webhook)
    expect(
      Buffer.concat([secret_encrypted, former_secret_encrypted ?? Buffer.of()]).toString('latin1'),
    ).not.toContain('whsec')
    await act(webhook, '/test')
    await sentUntil(shop, () => receiver.messages.length === 1)
    for (const one of [webhook, renewed])
      expect(opened(one, receiver.messages[0] as Message).type).toBe('test')
    await sql`update webhook_endpoints set former_secret_until = now()`.execute(shop.db)
    await act(webhook, '/test')
    await sentUntil(shop, () => receiver.messages.length === 2)
    expect(() => opened(webhook, receiver.messages[1] as Message)).toThrow()
    expect(opened(renewed, receiver.messages[1] as Message).type).toBe('test')
    expect(webhookSecretOwner('x')).not.toBe(formerSecretOwner('x'))
  })
})

describe('a webhook', () => {
  test('is made by those who may change it after a proof, and never by a token', async () => {
    const body = { url: 'https://hooks.example.com/', events: ['order.paid'] }
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const)
      expectProblem(await ask(await anOperator(shop.db, role), 'POST', '/api/v1/webhooks', { body }), 403)
    const aged = await owner()
    await letOperatorProofAge(shop, aged)
    expect((await ask(aged, 'POST', '/api/v1/webhooks', { body })).body.code).toBe('ask-again')
    expect((await ask(await owner(), 'POST', '/api/v1/webhooks', { body })).status).toBe(201)
  })

  test('shows only its host to those who may not change it: the path may hold a secret', async () => {
    await aWebhook('https://hooks.example.com/secret-path?key=1')
    const seen = await ask(await anOperator(shop.db, 'viewer'), 'GET', '/api/v1/webhooks')
    expect(seen.body[0].url).toBe('https://hooks.example.com/…')
    const { rows } = await sql`select arguments from operator_actions where command like 'webhook%'`.execute(
      shop.db,
    )
    expect(JSON.stringify(rows)).not.toContain('secret-path')
  })

  test.each([
    [{ url: 'ftp://hooks.example.com', events: ['order.paid'] }],
    [{ url: 'https://ada:pass@hooks.example.com', events: ['order.paid'] }],
    [{ url: 'hooks', events: ['order.paid'] }],
    [{ url: `https://hooks.example.com/${'x'.repeat(2_000)}`, events: ['order.paid'] }],
    [{ url: 'https://hooks.example.com', events: [] }],
    [{ url: 'https://hooks.example.com', events: ['test'] }],
  ])('is not made of %j', async (body) => {
    expectProblem(await ask(await owner(), 'POST', '/api/v1/webhooks', { body }), 422)
  })

  test('is changed and removed, with what waits for it', async () => {
    const receiver = await aReceiver({ status: 500 })
    const webhook = await aWebhook(receiver.url)
    await act(webhook, '/test')
    await sentUntil(shop, () => receiver.messages.length === 1)
    const next = await aReceiver()
    const body = { url: next.url, events: ['dispute.opened'] }
    expect((await ask(await owner(), 'PUT', `/api/v1/webhooks/${webhook.id}`, { body })).status).toBe(200)
    await letWaitPass()
    await sentUntil(shop, () => next.messages.length === 1)
    expect((await act(webhook, '', 'DELETE')).status).toBe(200)
    expectProblem(await act(webhook, '', 'DELETE'), 404)
    await deleteOldDeliveries(shop.db)
    expect(await deliveries()).toEqual([])
  })

  test('has its deliveries for 30 days', async () => {
    const webhook = await aWebhook((await aReceiver()).url)
    await act(webhook, '/test')
    await act(webhook, '/test')
    await sql`update webhook_deliveries set happened_at = now() - interval '31 days', next_try_at = null
      where id = (select id from webhook_deliveries limit 1)`.execute(shop.db)
    await deleteOldDeliveries(shop.db)
    expect(await deliveries()).toHaveLength(1)
  })

  test('is one of twenty at most', async () => {
    const who = await owner()
    const body = { url: 'https://hooks.example.com/', events: ['order.paid'] }
    const made = await Promise.all(
      Array.from({ length: 22 }, () => ask(who, 'POST', '/api/v1/webhooks', { body })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
  })
})
