import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Sandbox } from '#app.ts'
import { DEFAULT_SETTINGS, type SandboxSettings } from '#settings.ts'
import { type Json, PATIENCE, startTestSandbox } from '#testing/merchant.ts'

const KEY = DEFAULT_SETTINGS.stripeKey
const SECRET = DEFAULT_SETTINGS.stripeWebhookSecret

const clientOf = ({ url }: Sandbox, key = KEY): Stripe => {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0 })
}

/** A shop's webhook endpoint: raw bodies and their signatures, answered as it is told to; 200 once it was told nothing more. */
const openEndpoint = async (...answers: number[]) => {
  const arrived: { body: string; signature: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    arrived.push({ body, signature: String(request.headers['stripe-signature']) })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const types = () => arrived.map(({ body }) => JSON.parse(body).type as string)
  const received = (type: string) =>
    vi.waitUntil(() => arrived.find(({ body }) => JSON.parse(body).type === type), PATIENCE)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe`,
    arrived,
    types,
    received,
  }
}

const aDataDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const open = async (settings: Partial<SandboxSettings> = {}) => {
  const sandbox = await startTestSandbox(settings)
  return { sandbox, stripe: clientOf(sandbox) }
}

const aSession = (rest: Json = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  client_reference_id: 'pay_1',
  customer_email: 'ada@example.org',
  success_url: 'https://shop.example/paid?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/cancelled',
  line_items: [
    { quantity: 1, price_data: { currency: 'gbp', unit_amount: 3350, product_data: { name: '31 days' } } },
  ],
  metadata: { payment_id: 'pay_1' },
  payment_intent_data: { metadata: { payment_id: 'pay_1' } },
  ...rest,
})

/** What the customer's browser sends, without following where it is sent on to. */
const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

const typed = (pan: string) => ({ pan, expiry: '12 / 35', cvc: '123', name: 'Ada Lovelace' })

const payWith = (session: Stripe.Checkout.Session, pan: string): Promise<Response> =>
  post(session.url ?? '', typed(pan))

const paid = async (stripe: Stripe, pan = '4242424242424242', rest: Json = {}) => {
  const session = await stripe.checkout.sessions.create(aSession(rest))
  await payWith(session, pan)
  const after = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge'],
  })
  const intent = after.payment_intent as Stripe.PaymentIntent
  return { session: after, intent, charge: intent.latest_charge as Stripe.Charge }
}

/** What Stripe's dashboard would do. */
const act = async ({ url }: Sandbox, path: string, body: object = {}): Promise<Json> => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/stripe/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: await reply.json() }
}

const switchFaults = ({ url }: Sandbox, faults: object): Promise<Response> =>
  fetch(`${url}/stripe/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })

const refused = async (call: Promise<unknown>): Promise<Json> =>
  call.then(
    () => expect.fail('was not refused'),
    (error: unknown) => error,
  )

describe('checkout sessions', () => {
  test('are made, asked for, and paid on the hosted page', async () => {
    const { stripe } = await open()
    const session = await stripe.checkout.sessions.create(aSession())
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 3350,
      currency: 'gbp',
      livemode: false,
      metadata: { payment_id: 'pay_1' },
    })
    expect(session).not.toHaveProperty('line_items')
    const page = await (await fetch(session.url ?? '')).text()
    for (const shown of ['£33.50', '31 days', 'https://shop.example/cancelled']) expect(page).toContain(shown)

    const reply = await payWith(session, '4242 4242 4242 4242')
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `https://shop.example/paid?session=${session.id}`,
    ])
    const after = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'line_items'],
    })
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      line_items: { data: [{ description: '31 days' }] },
      payment_intent: {
        status: 'succeeded',
        amount_received: 3350,
        metadata: { payment_id: 'pay_1' },
        latest_charge: { status: 'succeeded', payment_method_details: { card: { last4: '4242' } } },
      },
    })
    const again = await payWith(session, '4242424242424242')
    expect(again.status).toBe(303)
    expect((await stripe.charges.list()).data).toHaveLength(1)
  })

  test('are declined, tried again and paid', async () => {
    const { stripe } = await open()
    const session = await stripe.checkout.sessions.create(aSession())
    const reply = await payWith(session, '4000000000009995')
    expect(reply.status).toBe(402)
    expect(await reply.text()).toContain('Your card has insufficient funds.')
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent'],
    })
    expect(payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds', type: 'card_error' },
    })
    await payWith(session, '4242424242424242')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
  })

  test.each([
    ['approve', 'paid', 'succeeded'],
    ['refuse', 'unpaid', 'requires_payment_method'],
  ])('ask the bank: %s', async (answer, paymentStatus, status) => {
    const { stripe } = await open()
    const session = await stripe.checkout.sessions.create(aSession())
    const reply = await payWith(session, '4000002760003184')
    expect(reply.headers.get('location')).toBe(`/c/pay/${session.id}/bank`)
    const asking = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
    expect(asking).toMatchObject({ status: 'open', payment_intent: { status: 'requires_action' } })
    await post(`${session.url}/bank`, { answer })
    const after = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
    expect(after).toMatchObject({ payment_status: paymentStatus, payment_intent: { status } })
  })

  test.each([
    ['arrives', 'checkout.session.async_payment_succeeded', 'paid'],
    ['fails', 'checkout.session.async_payment_failed', 'unpaid'],
  ])('are complete before a debit %s', async (debit, event, paymentStatus) => {
    const endpoint = await openEndpoint()
    const { stripe } = await open({ stripeWebhookUrl: endpoint.url })
    const session = await stripe.checkout.sessions.create(aSession())
    await post(session.url ?? '', { debit })
    const completed = JSON.parse((await endpoint.received('checkout.session.completed')).body)
    expect(completed.data.object).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    await endpoint.received(event)
    const after = await stripe.checkout.sessions.retrieve(session.id)
    expect(after).toMatchObject({ status: 'complete', payment_status: paymentStatus })
  })

  test('expire, and cannot be paid then', async () => {
    const { stripe } = await open()
    const session = await stripe.checkout.sessions.create(aSession())
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null })
    const reply = await payWith(session, '4242424242424242')
    expect(reply.status).toBe(410)
    expect(await refused(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 })
    expect((await stripe.charges.list()).data).toEqual([])
  })

  test.each([
    [29 * 60, 'at least 30 minutes'],
    [25 * 3_600, 'less than 24 hours'],
  ])('end between 30 minutes and a day ahead, not in %s seconds', async (seconds, says) => {
    const { stripe } = await open()
    const expires_at = Math.floor(Date.now() / 1_000) + seconds
    const error = await refused(stripe.checkout.sessions.create(aSession({ expires_at })))
    expect(error).toMatchObject({ param: 'expires_at', message: expect.stringContaining(says) })
  })

  test('are kept over a restart, and so are promises', async () => {
    const dataDir = aDataDir()
    const first = await open({ dataDir, callbackDelayMs: 60_000 })
    const { session } = await paid(first.stripe)
    const promised = await first.stripe.checkout.sessions.create(aSession())
    await post(promised.url ?? '', { debit: 'arrives' })
    await first.sandbox.close()

    const endpoint = await openEndpoint()
    const { stripe } = await open({ dataDir, stripeWebhookUrl: endpoint.url })
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
    await endpoint.received('checkout.session.async_payment_succeeded')
    expect(await stripe.checkout.sessions.retrieve(promised.id)).toMatchObject({ payment_status: 'paid' })
  })
})

describe('what is wrong with a call', () => {
  test('is an error of its class, with where and why', async () => {
    const { stripe, sandbox } = await open()
    const unknown = await refused(stripe.checkout.sessions.create(aSession({ colour: 'green' })))
    expect(unknown).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    expect(unknown).toMatchObject({ code: 'parameter_unknown', param: 'colour', statusCode: 400 })
    expect(unknown.requestId).toMatch(/^req_/)

    const { line_items, ...missing } = aSession()
    expect(await refused(stripe.checkout.sessions.create(missing))).toMatchObject({
      code: 'parameter_missing',
      param: 'line_items',
    })
    expect(await refused(stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({
      code: 'resource_missing',
      param: 'payment_intent',
      statusCode: 404,
    })
    expect(await refused(stripe.checkout.sessions.retrieve('cs_test_none'))).toMatchObject({
      statusCode: 404,
    })
    const tooLittle = {
      quantity: 1,
      price_data: { currency: 'gbp', unit_amount: 1, product_data: { name: 'x' } },
    }
    expect(
      await refused(stripe.checkout.sessions.create(aSession({ line_items: [tooLittle] }))),
    ).toMatchObject({
      code: 'amount_too_small',
    })
    expect(await refused(clientOf(sandbox, 'sk_test_other').balance.retrieve())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
  })

  test('never is a fault of the sandbox', { timeout: 120_000 }, async () => {
    const { sandbox } = await open()
    const { session } = await paid(clientOf(sandbox))
    const send = async (path: string, body?: string): Promise<number> => {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await fetch(sandbox.url + path, {
        headers,
        ...(body !== undefined && { method: 'POST', body }),
      })
      await reply.text()
      return reply.status
    }
    const bodies = [
      `a${'[b]'.repeat(5_000)}=1`,
      `line_items${'[0]'.repeat(5_000)}=1`,
      `${'k'.repeat(60_000)}=1`,
      `metadata[${'k'.repeat(60_000)}]=1`,
      `${'a=1&'.repeat(15_000)}`,
      Array.from({ length: 6_000 }, (_, i) => `m[${i}]=1`).join('&'),
      '__proto__[polluted]=1&constructor[prototype][polluted]=1',
      'metadata[__proto__]=1&metadata[constructor]=1&mode=payment',
      'a=1&a[b]=2',
      'a[b=1&]a[=2&[x]=3&=4',
      '%=1&%ff=%ff&a=%E0%A4%A',
      'expand[0]=__proto__&expand[1]=constructor.name',
      '{"mode":"payment"}',
      '',
    ]
    for (const body of bodies) {
      expect(await send('/v1/checkout/sessions', body)).toBeLessThan(500)
      expect(await send('/v1/refunds', body)).toBeLessThan(500)
      expect(await send(`/v1/checkout/sessions/${session.id}`, body)).toBe(404)
      expect(await send(`/v1/events?${body.slice(0, 8_000)}`)).toBeLessThan(500)
    }
    expect(({} as Json).polluted).toBeUndefined()
    for (const path of ['__proto__', 'constructor', '%00', `${'x'.repeat(3_000)}`])
      expect(await send(`/v1/refunds/${path}`)).toBe(404)
    for (const expand of ['id', '__proto__', 'metadata.x', 'payment_intent.a.b.c.d.e', 'line_items.data.x.y'])
      expect(await send(`/v1/checkout/sessions/${session.id}?expand[0]=${expand}`)).toBe(400)
    for (const query of [
      'limit=0',
      'limit=101',
      'created[gte]=x',
      'created[a]=1',
      'limit[0]=1',
      'starting_after=x',
    ])
      expect([400, 404]).toContain(await send(`/v1/events?${query}`))
  })
})

describe('idempotency keys', () => {
  test('bring the first answer again, and refuse other parameters', async () => {
    const { stripe } = await open()
    const key = { idempotencyKey: 'pay_1-sale' }
    const first = await stripe.checkout.sessions.create(aSession(), key)
    const again = await stripe.checkout.sessions.create(aSession(), key)
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    const conflict = await refused(stripe.checkout.sessions.create(aSession({ locale: 'de' }), key))
    expect(conflict).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
  })

  test('keep a refusal, but not one of parameters', async () => {
    const { stripe } = await open()
    const key = { idempotencyKey: 'a' }
    await refused(stripe.checkout.sessions.create(aSession({ colour: 'green' }), key))
    const { intent } = await paid(stripe)
    const refund = await stripe.refunds.create({ payment_intent: intent.id }, key)
    const other = { idempotencyKey: 'b' }
    await refused(stripe.refunds.create({ payment_intent: intent.id }, other))
    const again = await refused(stripe.refunds.create({ payment_intent: intent.id }, other))
    expect(again).toMatchObject({ code: 'charge_already_refunded' })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await stripe.refunds.list()).data.map(({ id }) => id)).toEqual([refund.id])
  })

  test('are refused with 409 while under way', async () => {
    const { stripe, sandbox } = await open()
    await switchFaults(sandbox, { hangCalls: 1 })
    const body = new URLSearchParams({ payment_intent: 'pi_1' })
    const headers = { authorization: `Bearer ${KEY}`, 'idempotency-key': 'a' }
    const away = new AbortController()
    const hanging = fetch(`${sandbox.url}/v1/refunds`, { method: 'POST', headers, body, signal: away.signal })
    const struck = () => fetch(`${sandbox.url}/stripe/faults/struck`).then((reply) => reply.json())
    await vi.waitUntil(async () => ((await struck()) as Json)['call: hang'] === 1, PATIENCE)
    await switchFaults(sandbox, { hangCalls: 0 })
    const second = await refused(stripe.refunds.create({ payment_intent: 'pi_1' }, { idempotencyKey: 'a' }))
    expect(second.statusCode).toBe(409)
    away.abort()
    await hanging.catch(() => {})
  })

  test('find what was made when the answer was lost', async () => {
    const { stripe, sandbox } = await open()
    await switchFaults(sandbox, { dropCallsAfterAccept: 1 })
    // The client asks again by itself.
    const session = await stripe.checkout.sessions.create(aSession())
    expect(session.lastResponse.headers['idempotent-replayed']).toBe('true')
    await switchFaults(sandbox, { dropCallsAfterAccept: 0 })
    expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([session.id])
  })
})

describe('lists', () => {
  test('go on page by page until they end', async () => {
    const { stripe } = await open()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await stripe.checkout.sessions.create(aSession())).id)
    const found: string[] = []
    for await (const { id } of stripe.checkout.sessions.list({ limit: 2 })) found.push(id)
    expect(found).toEqual(made)
    const before = await stripe.checkout.sessions.list({ limit: 2, ending_before: made[3] ?? '' })
    expect([before.data.map(({ id }) => id), before.has_more]).toEqual([made.slice(1, 3), true])
    const ahead = Math.floor(Date.now() / 1_000) + 60
    expect((await stripe.checkout.sessions.list({ created: { gte: ahead } })).data).toEqual([])
  })
})

describe('refunds', () => {
  test('give back parts until all is back', async () => {
    const { stripe } = await open()
    const { intent, charge } = await paid(stripe)
    const part = { payment_intent: intent.id, amount: 3000, metadata: { refund_id: 'r_1' } }
    expect(await stripe.refunds.create(part)).toMatchObject({
      status: 'succeeded',
      charge: charge.id,
      metadata: { refund_id: 'r_1' },
    })
    expect(await refused(stripe.refunds.create(part))).toMatchObject({ param: 'amount' })
    const rest = await stripe.refunds.create({ payment_intent: intent.id })
    expect(rest.amount).toBe(350)
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 3350, refunded: true })
    expect(await refused(stripe.refunds.cancel(rest.id))).toMatchObject({ statusCode: 400 })
  })

  test('succeed, and fail later: the money is back on the balance', async () => {
    const endpoint = await openEndpoint()
    const { stripe } = await open({ stripeWebhookUrl: endpoint.url })
    const { intent, charge } = await paid(stripe, '4000000000005126')
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    expect(refund.status).toBe('succeeded')
    await endpoint.received('refund.failed')
    const failed = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] })
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      failure_balance_transaction: { type: 'refund_failure', amount: 3350 },
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false })
  })
})

describe('disputes', () => {
  const disputed = async (pan = '4000000000000259') => {
    const endpoint = await openEndpoint()
    const { stripe, sandbox } = await open({ stripeWebhookUrl: endpoint.url })
    const { charge, intent } = await paid(stripe, pan)
    await endpoint.received('charge.dispute.created')
    const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data
    return { endpoint, stripe, sandbox, charge, intent, dispute: dispute as Stripe.Dispute }
  }

  test('take the money, and give it back when the evidence wins', async () => {
    const { endpoint, stripe, charge, intent, dispute } = await disputed()
    expect(dispute).toMatchObject({
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 3350,
      is_charge_refundable: false,
      balance_transactions: [{ type: 'adjustment', amount: -3350, fee: 2000, net: -5350 }],
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true })
    expect(await refused(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_disputed',
    })
    const draft = await stripe.disputes.update(dispute.id, {
      evidence: { product_description: 'VPN' },
      submit: false,
    })
    expect(draft).toMatchObject({ status: 'needs_response', evidence_details: { submission_count: 0 } })
    const sent = await stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    })
    expect(sent.evidence_details).toMatchObject({ has_evidence: true, submission_count: 1 })
    await endpoint.received('charge.dispute.funds_reinstated')
    const won = await stripe.disputes.retrieve(dispute.id)
    expect([won.status, won.balance_transactions.map(({ net }) => net)]).toEqual(['won', [-5350, 3350]])
    expect(await refused(stripe.disputes.close(dispute.id))).toMatchObject({ statusCode: 400 })
  })

  test('are inquiries first, escalate, are lost and appealed against', async () => {
    const { stripe, sandbox, dispute } = await disputed('4000000000001976')
    expect(dispute).toMatchObject({ status: 'warning_needs_response', balance_transactions: [] })
    const walk = ['needs_response', 'lost', 'appeal_needs_response', 'appeal_under_review', 'won']
    for (const status of walk) {
      expect(await act(sandbox, `disputes/${dispute.id}/move`, { status })).toMatchObject({
        body: { status },
      })
    }
    expect((await stripe.disputes.retrieve(dispute.id)).balance_transactions).toHaveLength(2)
    expect((await act(sandbox, `disputes/${dispute.id}/move`, { status: 'lost' })).status).toBe(409)
  })

  test('are given in', async () => {
    const { stripe, dispute } = await disputed()
    expect(await stripe.disputes.close(dispute.id)).toMatchObject({ status: 'lost' })
  })
})

describe('payouts', () => {
  test('carry what was sold, refunded and taken, and can fail after they were paid', async () => {
    const endpoint = await openEndpoint()
    const { stripe, sandbox } = await open({ stripeWebhookUrl: endpoint.url })
    const { intent } = await paid(stripe)
    const inEuros = { currency: 'eur', unit_amount: 1000, product_data: { name: '7 days' } }
    await paid(stripe, '4242424242424242', { line_items: [{ quantity: 1, price_data: inEuros }] })
    await stripe.refunds.create({ payment_intent: intent.id, amount: 350 })
    expect(await stripe.balance.retrieve()).toMatchObject({ pending: [{ amount: 3725, currency: 'gbp' }] })
    const { body: made } = await act(sandbox, 'payouts')
    expect(made).toMatchObject({ amount: 3725, currency: 'gbp', reconciliation_status: 'in_progress' })
    await endpoint.received('payout.reconciliation_completed')
    expect(await stripe.payouts.retrieve(made.id)).toMatchObject({ status: 'paid' })
    const lines = (await stripe.balanceTransactions.list({ payout: made.id })).data
    expect(lines.map(({ type, amount, fee, net }) => [type, amount, fee, net])).toEqual([
      ['payout', -3725, 0, -3725],
      ['refund', -350, 0, -350],
      ['charge', 860, 65, 795],
      ['charge', 3350, 70, 3280],
    ])
    expect(lines[2]).toMatchObject({ currency: 'gbp', exchange_rate: 0.86, status: 'available' })
    await act(sandbox, `payouts/${made.id}/fail`)
    await endpoint.received('payout.failed')
    expect(await stripe.payouts.retrieve(made.id)).toMatchObject({
      status: 'failed',
      failure_code: 'account_closed',
    })
    expect((await act(sandbox, 'payouts')).body.amount).toBe(3725)
    expect((await act(sandbox, 'payouts')).status).toBe(409)
  })

  test('and what they carry are listed by their time and page by page, the newest first', async () => {
    const { stripe, sandbox } = await open()
    const { intent } = await paid(stripe)
    await stripe.refunds.create({ payment_intent: intent.id, amount: 350 })
    const { body: payout } = await act(sandbox, 'payouts')
    const { data } = await stripe.balanceTransactions.list({ expand: ['data.source'] })
    const sources = data.map(({ source }) => source as Stripe.Charge | Stripe.Refund | Stripe.Payout)
    expect(sources).toMatchObject([
      { object: 'payout', id: payout.id, amount: 2930, status: expect.any(String) },
      { object: 'refund', amount: 350, payment_intent: intent.id },
      { object: 'charge', amount: 3350, payment_intent: intent.id },
    ])
    const paged: string[] = []
    for await (const { id } of stripe.balanceTransactions.list({ limit: 1 })) paged.push(id)
    expect(paged).toEqual(data.map(({ id }) => id))
    const [{ created } = { created: 0 }] = data
    const countOf = async (range: Stripe.RangeQueryParam) =>
      (await stripe.balanceTransactions.list({ created: range })).data.length
    expect(await countOf({ gte: created - 60, lt: created + 60 })).toBe(3)
    expect(await countOf({ lt: created - 60 })).toBe(0)
    expect((await stripe.balanceTransactions.list({ type: 'refund' })).data).toHaveLength(1)
    const payoutsFrom = async (gte: number) =>
      (await stripe.payouts.list({ arrival_date: { gte } })).data.map(({ id }) => id)
    expect(await payoutsFrom(payout.arrival_date)).toEqual([payout.id])
    expect(await payoutsFrom(payout.arrival_date + 1)).toEqual([])
    expect((await stripe.payouts.list({ status: 'failed' })).data).toEqual([])
  })
})

describe('events', () => {
  test('are signed so that the client accepts them, over the raw body alone', async () => {
    const endpoint = await openEndpoint()
    const { stripe } = await open({ stripeWebhookUrl: endpoint.url })
    const { session } = await paid(stripe)
    const { body, signature } = await endpoint.received('checkout.session.completed')
    const event = stripe.webhooks.constructEvent(body, signature, SECRET)
    expect(event).toMatchObject({
      livemode: false,
      data: { object: { id: session.id, payment_status: 'paid' } },
    })
    expect(() =>
      stripe.webhooks.constructEvent(JSON.stringify(JSON.parse(body)), signature, SECRET),
    ).toThrow()
    const known = await vi.waitUntil(async () => {
      const kept = await stripe.events.retrieve(event.id)
      return kept.pending_webhooks === 0 && kept
    }, PATIENCE)
    expect(known.type).toBe('checkout.session.completed')
  })

  test('go on until they are taken, and those that are not can be asked for', async () => {
    const endpoint = await openEndpoint(500, 302)
    const { stripe, sandbox } = await open({ stripeWebhookUrl: endpoint.url })
    const session = await stripe.checkout.sessions.create(aSession())
    await stripe.checkout.sessions.expire(session.id)
    await vi.waitUntil(() => endpoint.arrived.length === 3, PATIENCE)
    await switchFaults(sandbox, { dropCallbacks: 1 })
    await paid(stripe)
    const missed = await stripe.events.list({
      delivery_success: false,
      types: ['checkout.session.completed', 'checkout.session.expired'],
    })
    expect(missed.data.map(({ type }) => type)).toEqual(['checkout.session.completed'])
  })

  test('come twice, badly signed first, or out of order when they are told to', async () => {
    const endpoint = await openEndpoint()
    const { stripe, sandbox } = await open({ stripeWebhookUrl: endpoint.url })
    await switchFaults(sandbox, { duplicateCallbacks: 1, forgeCallbacks: 1 })
    const session = await stripe.checkout.sessions.create(aSession())
    await stripe.checkout.sessions.expire(session.id)
    await vi.waitUntil(() => endpoint.arrived.length === 3, PATIENCE)
    const isGenuine = ({ body, signature }: (typeof endpoint.arrived)[number]) => {
      try {
        return stripe.webhooks.constructEvent(body, signature, SECRET).id !== ''
      } catch {
        return false
      }
    }
    expect(endpoint.arrived.map(isGenuine).sort()).toEqual([false, true, true])

    await switchFaults(sandbox, { duplicateCallbacks: 0, forgeCallbacks: 0, reorderCallbacks: 1 })
    await paid(stripe)
    await vi.waitUntil(() => endpoint.arrived.length === 6, PATIENCE)
    // The first waited for the second.
    expect(endpoint.types()[3]).not.toBe('charge.succeeded')
  })

  test('are signed with both secrets while one is rolled', async () => {
    const endpoint = await openEndpoint()
    const { stripe, sandbox } = await open()
    const made = await stripe.webhookEndpoints.create({
      url: endpoint.url,
      enabled_events: ['checkout.session.expired'],
      api_version: '2026-10-28.endive',
    })
    expect(made.secret).toMatch(/^whsec_/)
    expect(await stripe.webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret')
    const { body: rolled } = await act(sandbox, `endpoints/${made.id}/roll`)
    const session = await stripe.checkout.sessions.create(aSession())
    await stripe.checkout.sessions.expire(session.id)
    const { body, signature } = await endpoint.received('checkout.session.expired')
    for (const secret of [made.secret, rolled.secret])
      expect(stripe.webhooks.constructEvent(body, signature, secret).type).toBe('checkout.session.expired')

    await stripe.webhookEndpoints.update(made.id, { enabled_events: ['*'], disabled: true })
    expect((await stripe.webhookEndpoints.list()).data).toMatchObject([{ status: 'disabled' }])
    expect(await stripe.webhookEndpoints.del(made.id)).toMatchObject({ deleted: true })
  })
})

test('the account can take payments, in test mode', async () => {
  const { stripe } = await open()
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    charges_enabled: true,
    default_currency: 'gbp',
  })
})

test.each(['/stripe', '/'])('the page %s names what there is', async (path) => {
  const { stripe, sandbox } = await open()
  const { session } = await paid(stripe)
  expect(await (await fetch(sandbox.url + path)).text()).toContain('/stripe')
  const page = await (await fetch(`${sandbox.url}/stripe/sessions/${session.id}`)).text()
  for (const shown of ['complete, paid', 'pi_', 'checkout.session.completed', 'Dispute'])
    expect(page).toContain(shown)
})
