import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Sandbox } from '#app.ts'
import { DEFAULT_SETTINGS, type SandboxSettings } from '#settings.ts'
import { type Json, PATIENCE, startTestSandbox } from '#testing/merchant.ts'

const { btcpayKey: KEY, btcpayStore: STORE, btcpayWebhookSecret: SECRET } = DEFAULT_SETTINGS

const decimal = z.string().check(z.regex(/^-?\d+(\.\d+)?$/))
const time = z.int().check(z.gt(1_500_000_000))

/** The fields as the server's own description of Greenfield v1 (2.4.1) has them, written down anew. */
const SHAPES = {
  invoice: z.strictObject({
    id: z.string(),
    storeId: z.string(),
    amount: decimal,
    paidAmount: decimal,
    currency: z.string(),
    type: z.enum(['Standard', 'TopUp']),
    checkoutLink: z.url(),
    createdTime: time,
    expirationTime: time,
    monitoringExpiration: time,
    status: z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
    additionalStatus: z.enum(['None', 'PaidLate', 'PaidPartial', 'Marked', 'Invalid', 'PaidOver']),
    availableStatusesForManualMarking: z.array(z.enum(['Invalid', 'Settled'])),
    archived: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
    checkout: z.strictObject({
      speedPolicy: z.enum(['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed']),
      paymentMethods: z.array(z.string()),
      expirationMinutes: z.number(),
      monitoringMinutes: z.number(),
      paymentTolerance: z.number(),
      redirectURL: z.nullable(z.string()),
      redirectAutomatically: z.boolean(),
      defaultLanguage: z.nullable(z.string()),
    }),
    receipt: z.strictObject({
      enabled: z.nullable(z.boolean()),
      showQR: z.nullable(z.boolean()),
      showPayments: z.nullable(z.boolean()),
    }),
  }),
  methods: z.array(
    z.strictObject({
      paymentMethodId: z.string(),
      currency: z.string(),
      destination: z.string(),
      paymentLink: z.nullable(z.string()),
      rate: decimal,
      paymentMethodPaid: decimal,
      totalPaid: decimal,
      due: decimal,
      amount: decimal,
      paymentMethodFee: decimal,
      activated: z.boolean(),
      additionalData: z.looseObject({}),
      payments: z.array(
        z.strictObject({
          id: z.string(),
          receivedDate: time,
          value: decimal,
          fee: decimal,
          status: z.enum(['Invalid', 'Processing', 'Settled']),
          destination: z.string(),
        }),
      ),
    }),
  ),
  pullPayment: z.strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    currency: z.string(),
    amount: decimal,
    BOLT11Expiration: z.string(),
    autoApproveClaims: z.boolean(),
    archived: z.boolean(),
    viewLink: z.url(),
  }),
  payouts: z.array(
    z.strictObject({
      id: z.string(),
      revision: z.int(),
      pullPaymentId: z.string(),
      date: time,
      destination: z.string(),
      originalCurrency: z.string(),
      originalAmount: decimal,
      payoutCurrency: z.string(),
      payoutAmount: z.nullable(decimal),
      payoutMethodId: z.string(),
      state: z.enum(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
      paymentProof: z.nullable(z.looseObject({ proofType: z.string() })),
      metadata: z.looseObject({}),
    }),
  ),
  webhook: z.looseObject({
    id: z.string(),
    enabled: z.boolean(),
    automaticRedelivery: z.boolean(),
    url: z.url(),
    authorizedEvents: z.strictObject({ everything: z.boolean(), specificEvents: z.array(z.string()) }),
  }),
  deliveries: z.array(
    z.strictObject({
      id: z.string(),
      timestamp: time,
      deliveryTime: time,
      httpCode: z.nullable(z.int()),
      errorMessage: z.optional(z.string()),
      status: z.enum(['Failed', 'HttpError', 'HttpSuccess']),
    }),
  ),
  server: z.looseObject({
    version: z.string(),
    supportedPaymentMethods: z.array(z.string()),
    fullySynched: z.boolean(),
    syncStatus: z.array(
      z.looseObject({ paymentMethodId: z.string(), chainHeight: z.int(), available: z.boolean() }),
    ),
  }),
  event: z.looseObject({
    deliveryId: z.string(),
    webhookId: z.string(),
    originalDeliveryId: z.string(),
    isRedelivery: z.boolean(),
    type: z.string(),
    timestamp: time,
    storeId: z.string(),
  }),
}

const fits = (shape: z.ZodMiniType, body: Json): Json => z.parse(shape, body)

type Reply = { status: number; body: Json }

const call = async (
  { url }: Sandbox,
  method: string,
  path: string,
  body?: object,
  authorization = `token ${KEY}`,
): Promise<Reply> => {
  const reply = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text && JSON.parse(text) }
}

const INVOICES = `/stores/${STORE}/invoices`

const sold = async (sandbox: Sandbox, rest: Json = {}): Promise<Json> => {
  const { checkout, ...others } = rest
  const { status, body } = await call(sandbox, 'POST', INVOICES, {
    amount: '33.50',
    currency: 'GBP',
    metadata: { orderId: 'pay_1', itemDesc: '31 days' },
    checkout: { redirectURL: 'https://shop.example/paid', redirectAutomatically: true, ...checkout },
    ...others,
  })
  expect(status).toBe(200)
  return fits(SHAPES.invoice, body)
}

const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

/** One press after another on the invoice's page, and the invoice after them. */
const after = async (sandbox: Sandbox, { id, checkoutLink }: Json, ...acts: string[]): Promise<Json> => {
  for (const act of acts) expect((await post(checkoutLink, { act })).status).toBe(303)
  return fits(SHAPES.invoice, (await call(sandbox, 'GET', `${INVOICES}/${id}`)).body)
}

/** A shop's endpoint: what arrived, answered as it is told to; 200 once it was told nothing more. */
const openEndpoint = async (...answers: number[]) => {
  const arrived: { text: string; signature: string; event: Json }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    arrived.push({ text, signature: String(request.headers['btcpay-sig']), event: JSON.parse(text) })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/btcpay`
  const types = () => arrived.map(({ event }) => event.type as string)
  const count = (wanted: number) => vi.waitUntil(() => arrived.length >= wanted, PATIENCE)
  return { url, arrived, types, count }
}

const listening = async (answers: number[] = [], settings: Partial<SandboxSettings> = {}) => {
  const shop = await openEndpoint(...answers)
  const sandbox = await startTestSandbox({ btcpayWebhookUrl: shop.url, ...settings })
  return { sandbox, shop }
}

const isSigned = (text: string, signature: string, secret = SECRET): boolean =>
  signature === `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

describe('an invoice', () => {
  test.each([
    ['is settled once it is paid and confirmed', ['full', 'confirm'], 'Settled', 'None', '33.5'],
    ['is only promised before a block confirms it', ['full'], 'Processing', 'None', '33.5'],
    ['is settled at once over Lightning', ['lightning'], 'Settled', 'None', '33.5'],
    ['waits for the rest of a part', ['part'], 'New', 'PaidPartial', '20.1'],
    ['takes the rest of a part', ['part', 'full', 'confirm'], 'Settled', 'None', '33.5'],
    ['keeps a part when its time is over', ['part', 'expire'], 'Expired', 'PaidPartial', '20.1'],
    ['says when too much has come', ['over', 'confirm'], 'Settled', 'PaidOver', '50.25'],
    ['stays expired when it is paid late', ['late', 'confirm'], 'Expired', 'PaidLate', '33.5'],
    ['says nothing of too much that came late', ['part', 'expire', 'over'], 'Expired', 'PaidLate', '70.35'],
    ['is new again when its payment was replaced', ['full', 'replace'], 'New', 'None', '0'],
    ['keeps the part that was not replaced', ['part', 'full', 'replace'], 'New', 'PaidPartial', '20.1'],
    ['is invalid when no block ever confirmed it', ['full', 'stuck'], 'Invalid', 'None', '33.5'],
    ['expires unpaid', ['expire'], 'Expired', 'None', '0'],
  ])('%s', async (_what, acts, status, additionalStatus, paidAmount) => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox)
    expect(await after(sandbox, invoice, ...acts)).toMatchObject({ status, additionalStatus, paidAmount })
  })

  test('asks for as many blocks as its policy says', async () => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox, { checkout: { speedPolicy: 'LowMediumSpeed' } })
    expect(await after(sandbox, invoice, 'full', 'confirm')).toMatchObject({ status: 'Processing' })
    expect(await after(sandbox, invoice, 'confirm')).toMatchObject({ status: 'Settled' })
  })

  test('expires by the clock', async () => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox)
    vi.useFakeTimers({ toFake: ['Date'], now: (invoice.expirationTime + 1) * 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    // Looked at by whoever pays; the timer itself would take a quarter of an hour.
    expect(await after(sandbox, invoice, 'full')).toMatchObject({
      status: 'Expired',
      additionalStatus: 'PaidLate',
    })
  })

  test('is found by its order, and is not once it is archived', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await sold(sandbox)
    await sold(sandbox, { metadata: { orderId: 'pay_2' } })
    const search = async (query: string): Promise<string[]> =>
      (await call(sandbox, 'GET', `${INVOICES}?${query}`)).body.map(
        (one: Json) => fits(SHAPES.invoice, one).id,
      )
    expect(await search('orderId=pay_1')).toEqual([id])
    expect(await search('orderId=pay_1&orderId=pay_2')).toHaveLength(2)
    expect(await search('orderId=pay_1&status=Settled')).toEqual([])
    expect(await search('endDate=1500000000')).toEqual([])
    expect((await call(sandbox, 'DELETE', `${INVOICES}/${id}`)).status).toBe(200)
    expect(await search('orderId=pay_1')).toEqual([])
    expect(await search('orderId=pay_1&includeArchived=true')).toEqual([id])
  })

  test('says per coin what was paid at which rate', async () => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox)
    await after(sandbox, invoice, 'part', 'full', 'replace')
    const methodsOf = async (query = '') =>
      fits(
        SHAPES.methods,
        (await call(sandbox, 'GET', `${INVOICES}/${invoice.id}/payment-methods${query}`)).body,
      )
    const [chain] = await methodsOf()
    expect(chain).toMatchObject({
      paymentMethodId: 'BTC-CHAIN',
      rate: '50000',
      amount: '0.00067000',
      due: '0.00026800',
    })
    expect(chain.payments).toMatchObject([{ value: '0.00040200', status: 'Processing' }])
    const [all] = await methodsOf('?onlyAccountedPayments=false')
    expect(all.payments).toMatchObject([{ status: 'Processing' }, { status: 'Invalid' }])
  })

  test('is marked by hand', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await sold(sandbox)
    const mark = (status: string) => call(sandbox, 'POST', `${INVOICES}/${id}/status`, { status })
    expect(fits(SHAPES.invoice, (await mark('Settled')).body)).toMatchObject({
      status: 'Settled',
      additionalStatus: 'Marked',
    })
    expect(await mark('Settled')).toMatchObject({ status: 422, body: [{ path: 'status' }] })
  })

  test('is shown to the customer, who comes back paid', async () => {
    const sandbox = await startTestSandbox({ merchantName: 'Hedgerow' })
    const { checkoutLink } = await sold(sandbox)
    const page = await (await fetch(checkoutLink)).text()
    for (const shown of ['£33.50', '31 days', '0.00067000 BTC', 'Hedgerow', 'https://shop.example/paid'])
      expect(page).toContain(shown)
    expect((await post(checkoutLink, { act: 'full' })).headers.get('location')).toBe(
      'https://shop.example/paid',
    )
    expect((await post(checkoutLink, { act: 'constructor' })).status).toBe(400)
  })

  test('outlives a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const first = await startTestSandbox({ dataDir })
    const invoice = await sold(first)
    await after(first, invoice, 'part')
    await first.close()
    const second = await startTestSandbox({ dataDir })
    const checkoutLink = `${second.url}/i/${invoice.id}`
    expect(await after(second, { ...invoice, checkoutLink }, 'expire')).toMatchObject({
      status: 'Expired',
      additionalStatus: 'PaidPartial',
    })
  })
})

describe('a call is refused', () => {
  test.each([
    [
      'without a key',
      401,
      'unauthenticated',
      (sandbox: Sandbox) => call(sandbox, 'GET', INVOICES, undefined, ''),
    ],
    [
      'for a store of others',
      403,
      'missing-permission',
      (sandbox: Sandbox) => call(sandbox, 'GET', '/stores/other/invoices'),
    ],
    [
      'for an invoice that is not there',
      404,
      'invoice-not-found',
      (sandbox: Sandbox) => call(sandbox, 'GET', `${INVOICES}/x`),
    ],
  ])('%s', async (_what, status, code, ask) => {
    expect(await ask(await startTestSandbox())).toMatchObject({ status, body: { code } })
  })

  test.each([
    ['amount', { amount: 'much' }],
    ['amount', { amount: '0' }],
    ['currency', { currency: 'XXX' }],
    ['metadata', { metadata: { orderId: 'x'.repeat(20_000) } }],
    ['checkout.redirectURL', { checkout: { redirectURL: 'javascript:alert(1)' } }],
    ['checkout.expirationMinutes', { checkout: { expirationMinutes: 0 } }],
  ])('that is wrong at %s', async (path, rest) => {
    const given = { amount: '33.50', currency: 'GBP', ...rest }
    const reply = await call(await startTestSandbox(), 'POST', INVOICES, given)
    expect(reply.status).toBe(422)
    expect(reply.body).toContainEqual({ path, message: expect.any(String) })
  })
})

describe('a refund', () => {
  const ask = (sandbox: Sandbox, id: string, rest: Json = {}) =>
    call(sandbox, 'POST', `${INVOICES}/${id}/refund`, {
      refundVariant: 'Custom',
      customAmount: '20.00',
      customCurrency: 'GBP',
      ...rest,
    })

  test('is a promise that the customer claims and the owner pays', async () => {
    const { sandbox, shop } = await listening()
    const invoice = await sold(sandbox)
    expect(await ask(sandbox, invoice.id)).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
    await after(sandbox, invoice, 'lightning')

    const pull = fits(SHAPES.pullPayment, (await ask(sandbox, invoice.id)).body)
    expect(pull).toMatchObject({ amount: '20.00', currency: 'GBP', autoApproveClaims: false })
    const payouts = async () =>
      fits(SHAPES.payouts, (await call(sandbox, 'GET', `/pull-payments/${pull.id}/payouts`)).body)
    expect(await payouts()).toEqual([])
    expect(await (await fetch(pull.viewLink)).text()).toContain('20 GBP')
    expect((await post(pull.viewLink, { destination: 'my wallet' })).status).toBe(422)
    expect((await post(pull.viewLink, { destination: 'bc1qexampleaddress' })).status).toBe(303)
    expect((await post(pull.viewLink, { destination: 'bc1qexampleaddress' })).status).toBe(422)

    const [payout] = await payouts()
    expect(payout).toMatchObject({ state: 'AwaitingApproval', originalAmount: '20', payoutAmount: null })
    const move = async (state: string) =>
      (await post(`${sandbox.url}/btcpay/payouts/${payout.id}/${state}`, {})).status
    expect(await move('Completed')).toBe(409)
    for (const state of ['AwaitingPayment', 'InProgress', 'Completed']) expect(await move(state)).toBe(303)
    expect(await payouts()).toMatchObject([{ state: 'Completed', payoutAmount: '0.00040000' }])
    await vi.waitUntil(() => shop.types().filter((type) => type === 'PayoutUpdated').length === 2, PATIENCE)
    expect(shop.types()).toEqual(expect.arrayContaining(['InvoiceRefund', 'PayoutCreated', 'PayoutApproved']))
  })

  test('can no longer be claimed once it is archived', async () => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox)
    await after(sandbox, invoice, 'part', 'expire')
    const { id, viewLink } = (await ask(sandbox, invoice.id, { customAmount: '20.10' })).body
    expect((await call(sandbox, 'DELETE', `/stores/${STORE}/pull-payments/${id}`)).status).toBe(200)
    expect((await post(viewLink, { destination: 'bc1qexampleaddress' })).status).toBe(422)
    expect((await call(sandbox, 'GET', `/pull-payments/${id}`)).body).toMatchObject({ archived: true })
  })

  test.each([
    ['Fiat', '50.25', 'GBP'],
    ['RateThen', '0.00100500', 'BTC'],
    ['OverpaidAmount', '0.00033500', 'BTC'],
  ])('of the variant %s has its own sum', async (refundVariant, amount, currency) => {
    const sandbox = await startTestSandbox()
    const invoice = await sold(sandbox)
    await after(sandbox, invoice, 'over', 'confirm')
    expect((await ask(sandbox, invoice.id, { refundVariant })).body).toMatchObject({ amount, currency })
  })
})

describe('webhooks', () => {
  test('are signed over the indented text', async () => {
    const { sandbox, shop } = await listening()
    const invoice = await sold(sandbox)
    await after(sandbox, invoice, 'over', 'confirm')
    await vi.waitUntil(() => shop.types().includes('InvoiceSettled'), PATIENCE)
    for (const { text, signature, event } of shop.arrived) {
      expect(isSigned(text, signature)).toBe(true)
      expect(text).toBe(JSON.stringify(event, null, 2))
      expect(fits(SHAPES.event, event)).toMatchObject({
        invoiceId: invoice.id,
        metadata: { orderId: 'pay_1' },
      })
      expect(event.originalDeliveryId).toBe(event.deliveryId)
    }
    expect(shop.types().toSorted()).toEqual([
      'InvoiceCreated',
      'InvoicePaymentSettled',
      'InvoiceProcessing',
      'InvoiceReceivedPayment',
      'InvoiceSettled',
    ])
    expect(shop.arrived.find(({ event }) => event.type === 'InvoiceSettled')?.event).toMatchObject({
      overPaid: true,
      manuallyMarked: false,
    })
  })

  test('tell of late money, and never that it settled', async () => {
    const { sandbox, shop } = await listening()
    await after(sandbox, await sold(sandbox), 'late', 'confirm')
    await vi.waitUntil(() => shop.types().includes('InvoicePaymentSettled'), PATIENCE)
    expect(shop.types()).toEqual(expect.arrayContaining(['InvoiceExpired', 'InvoicePaidAfterExpiration']))
    expect(shop.types()).not.toContain('InvoiceSettled')
  })

  test('are repeated after a fault, under new ids', async () => {
    const { sandbox, shop } = await listening([503])
    await sold(sandbox)
    await shop.count(2)
    const [first, second] = shop.arrived.map(({ event }) => event)
    expect(second).toMatchObject({
      type: first.type,
      isRedelivery: true,
      originalDeliveryId: first.deliveryId,
    })
    expect(second.deliveryId).not.toBe(first.deliveryId)
  })

  test('are never repeated after another refusal, but can be asked for again', async () => {
    const { sandbox, shop } = await listening([404])
    await sold(sandbox)
    const [webhook] = (await call(sandbox, 'GET', `/stores/${STORE}/webhooks`)).body
    expect(fits(SHAPES.webhook, webhook)).not.toHaveProperty('secret')
    const path = `/stores/${STORE}/webhooks/${webhook.id}/deliveries`
    const deliveries = async () => fits(SHAPES.deliveries, (await call(sandbox, 'GET', path)).body)
    await vi.waitUntil(async () => (await deliveries()).length === 1, PATIENCE)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ httpCode: 404, status: 'HttpError' })
    const again = await call(sandbox, 'POST', `${path}/${delivery.id}/redeliver`)
    await shop.count(2)
    expect(shop.arrived[1]?.event).toMatchObject({ deliveryId: again.body, originalDeliveryId: delivery.id })
    expect(shop.arrived).toHaveLength(2)
  })

  test('are made by a call, for some events', async () => {
    const shop = await openEndpoint()
    const sandbox = await startTestSandbox()
    const { body } = await call(sandbox, 'POST', `/stores/${STORE}/webhooks`, {
      url: shop.url,
      authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] },
    })
    await after(sandbox, await sold(sandbox), 'lightning')
    await shop.count(1)
    expect(shop.types()).toEqual(['InvoiceSettled'])
    expect(isSigned(shop.arrived[0]?.text ?? '', shop.arrived[0]?.signature ?? '', body.secret)).toBe(true)
    expect((await call(sandbox, 'DELETE', `/stores/${STORE}/webhooks/${body.id}`)).status).toBe(200)
  })
})

describe('faults', () => {
  const set = ({ url }: Sandbox, faults: object) =>
    fetch(`${url}/btcpay/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })

  test('strike events: lost, twice, badly signed', async () => {
    const { sandbox, shop } = await listening()
    await set(sandbox, { dropCallbacks: true })
    await sold(sandbox)
    await set(sandbox, { dropCallbacks: false, duplicateCallbacks: 1, forgeCallbacks: true })
    await sold(sandbox)
    await shop.count(3)
    expect(shop.arrived.map(({ text, signature }) => isSigned(text, signature)).toSorted()).toEqual([
      false,
      true,
      true,
    ])
  })

  test('strike calls: a fault of theirs, and an answer that is lost though the invoice is made', async () => {
    const sandbox = await startTestSandbox()
    await set(sandbox, { failCalls: true })
    expect(await call(sandbox, 'POST', INVOICES, {})).toMatchObject({ status: 500 })
    await set(sandbox, { failCalls: false, dropCallsAfterAccept: true })
    await expect(sold(sandbox)).rejects.toThrow()
    await set(sandbox, { dropCallsAfterAccept: false })
    expect((await call(sandbox, 'GET', `${INVOICES}?orderId=pay_1`)).body).toHaveLength(1)
  })
})

test('says how server, store and wallet stand', async () => {
  const sandbox = await startTestSandbox()
  expect(fits(SHAPES.server, (await call(sandbox, 'GET', '/server/info')).body)).toMatchObject({
    fullySynched: true,
  })
  expect((await call(sandbox, 'GET', `/stores/${STORE}`)).body).toMatchObject({ id: STORE })
  expect((await call(sandbox, 'GET', `/stores/${STORE}/payment-methods`)).body).toMatchObject([
    { paymentMethodId: 'BTC-CHAIN', enabled: true },
    { paymentMethodId: 'BTC-LN', enabled: true },
  ])
})

test('shows the owner all of it', async () => {
  const { sandbox } = await listening()
  const invoice = await sold(sandbox)
  await after(sandbox, invoice, 'lightning')
  const page = await (await fetch(`${sandbox.url}/btcpay`)).text()
  for (const shown of ['pay_1', 'Settled', SECRET, KEY]) expect(page).toContain(shown)
})
