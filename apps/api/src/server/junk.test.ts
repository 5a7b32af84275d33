import { machineRoutes } from '@hedgerow/contract/machine-routes'
import { routes } from '@hedgerow/contract/routes'
import type { Json, Reply } from '@hedgerow/testing/call'
import { fewOrAll } from '@hedgerow/testing/strength'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { callbackBody, signedWith } from '#testing/gateway.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { aPurchase, CARDS, cardBody, challengeOf, connectionsOf, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  'ada@example.org',
  'a\u0000b@example.org',
  "'; drop table customers; --",
  '<script>',
  '😀'.repeat(300),
  '9'.repeat(40),
  '__proto__',
)
const value = fc.oneof(
  nasty,
  fc.string({ maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Bodies that are right but for some of their fields, bodies of nothing right, and texts that are no bodies. */
const bodies = (right: Json): fc.Arbitrary<unknown> => {
  const fields = Object.fromEntries(
    Object.entries(right).map(([name, good]) => [
      name,
      fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: value }),
    ]),
  )
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map((text) => Buffer.from(text)) },
  )
}

const expectMannered = ({ status, headers, body, text }: Reply) => {
  expect(status, text).toBeLessThan(500)
  if (status < 400) return
  expect(headers.get('content-type'), text).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status, title: expect.any(String), detail: expect.stringMatching(/./) })
}

type Send = (body: unknown) => Promise<Reply>

const survives = (right: Json, send: Send, numRuns = fewOrAll(15, 200)) =>
  fc.assert(
    fc.asyncProperty(bodies(right), async (body) => expectMannered(await send(body))),
    { numRuns },
  )

const post =
  (path: string, token?: string, method = 'POST'): Send =>
  (body) =>
    shop.call(method, path, {
      token,
      headers: { 'content-type': 'application/json' },
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
    })

describe('whatever is sent, the answer is never a fault of ours, and a refusal is a problem:', () => {
  let customer: TestCustomer
  beforeAll(async () => {
    customer = await aCustomer(shop)
  })

  const signup = {
    name: 'Ada',
    email: 'ada@example.org',
    signupPassword: 'seven 7 seven',
    acceptTerms: true,
    referral: 'NOBODYS234',
  }
  const open: [string, Json][] = [
    [routes.signup.url, signup],
    [routes.login.url, { username: 'ada@example.org', password: 'seven 7 seven' }],
    [routes.forgotPassword.url, { username: 'ada@example.org' }],
    [routes.resendConfirmation.url, { username: 'ada@example.org' }],
    [routes.countReferralVisit.url, { code: 'NOBODYS234' }],
    [routes.readSharedConnection.url, { token: 'a'.repeat(43) }],
    [routes.resetPassword.url, { token: 'a'.repeat(43), password: 'seven 7 seven' }],
    [
      routes.declareCancellation.url,
      {
        id: '9d5b8f0e-6f43-4a51-9f0e-1d7d3c9a5b12',
        name: 'Ada',
        email: 'ada@example.org',
        contract: 'INV-7',
        message: 'seven',
      },
    ],
  ]
  test.each(open)('POST %s', async (url, right) => {
    await survives(right, post(url))
  })

  test('POST /api/v1/user/logout', async () => {
    await survives({}, async (body) => post(routes.logout.url, (await aCustomer(shop)).token)(body))
  })

  test('POST /api/v1/orders', async () => {
    await survives(anOrderBody(), post(routes.createOrder.url, customer.token))
  })

  test('POST /api/v1/orders/:id', async () => {
    const order = await anOrder(shop, customer)
    const right = cardBody(order, { browser: { screen_res: '1x1', language: 'en' }, pan: CARDS.declined })
    await survives(right, post(`/api/v1/orders/${order.orderId}`, customer.token))
  })

  const id = '9d5b8f0e-6f43-4a51-9f0e-1d7d3c9a5b11'
  const forms: [string, Json][] = [
    [routes.applyForWhiteLabel.url, { id, name: 'Ada', commentary: 'seven 7 seven' }],
    [routes.contactSupport.url, { id, name: 'Ada', problem: 'seven 7 seven' }],
  ]
  test.each(forms)('POST %s', async (url, right) => {
    await survives(right, post(url, customer.token))
  })

  test.each(['ob', 'blik'])('POST /api/v1/orders/%s/:id', async (path) => {
    // A paid order: what is in order is refused all the same.
    const { order, customer: buyer } = await aPurchase(shop)
    const { total, currency } = order
    const payer = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', acceptTerms: true }
    const send = post(`/api/v1/orders/${path}/${order.orderId}`, buyer.token)
    await survives({ total, currency, ...payer }, send)
  })

  test('POST /api/v1/payment/:paymentId/cancellation', async () => {
    const purchase = await aPurchase(shop)
    const path = `/api/v1/payment/${purchase.paymentId}/cancellation`
    await survives({ refund: 30, password: 'seven 7 seven' }, post(path, purchase.customer.token))
  })

  test('POST /api/v1/user/mail/connection/:connectionId', async () => {
    const purchase = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, purchase.paymentId)
    const path = `/api/v1/user/mail/connection/${connection?.id}`
    // This body is not read, and each call that is taken sends a mail.
    await survives({}, post(path, purchase.customer.token), fewOrAll(5, 40))
  })

  test('PUT /api/v1/connections/:connectionId, and POST its location', async () => {
    const purchase = await aPurchase(shop, { features: { feature2: true } })
    const [connection] = await connectionsOf(shop, purchase.paymentId)
    const path = `/api/v1/connections/${connection?.id}`
    const right = { name: 'Kitchen', filters: { feature2: false, feature3: false } }
    await survives(right, post(path, purchase.customer.token, 'PUT'))
    await survives({ location: connection?.node_id }, post(`${path}/location`, purchase.customer.token))
  })

  test('POST /api/v1/payment/challenge/:paymentId', async () => {
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    const { md } = await challengeOf(shop, paymentId)
    const path = `/api/v1/payment/challenge/${paymentId}`
    await survives({ PaRes: 'e30=', MD: `${md}!`, pares: 'e30=', md: `${md}!` }, post(path))
    const field = fc.tuple(fc.oneof(fc.constantFrom('PaRes', 'MD', 'md'), fc.string()), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 5 }), async (fields) => {
        const body = new URLSearchParams(fields)
        expectMannered(await shop.call('POST', path, { body }))
      }),
      { numRuns: fewOrAll(10, 100) },
    )
  })

  test('POST /api/v1/payment/callback, unsigned', async () => {
    const right = callbackBody(shop, {
      paymentId: '0'.repeat(32),
      amountMinor: 1,
      currency: 'EUR',
      status: 'success',
    })
    await survives({ ...right, signature: 'AAAA' }, post(machineRoutes.gateCallback.url))
  })

  test('POST /api/v1/payment/callback, signed by a gateway gone mad', async () => {
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    const update = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'processing' }
    const right = callbackBody(shop, update)
    const part = (name: string) => fc.oneof(fc.constant(right[name]), value, bodies(right[name]))
    const body = fc.record({
      project_id: fc.constant(right.project_id),
      payment: fc.oneof(bodies({ ...right.payment, status: 'awaiting 3ds result' }), bodies(right.payment)),
      operation: part('operation'),
      account: part('account'),
      acs: fc.oneof(value, bodies({ acs_url: 'https://acs.example', pa_req: 'a', md: 'b' })),
      redirect_data: fc.oneof(
        value,
        bodies({ url: 'https://bank.example', method: 'GET', body: { a: '1' } }),
      ),
      errors: value,
    })
    await fc.assert(
      fc.asyncProperty(body, async (one) => {
        const plain = JSON.parse(JSON.stringify(one))
        if (plain.payment && typeof plain.payment === 'object') plain.payment.id = paymentId
        expectMannered(
          await post(machineRoutes.gateCallback.url)(signedWith(plain, shop.settings.gate.secret)),
        )
        expectMannered(await shop.call('GET', `/api/v1/payment/status/${paymentId}`))
      }),
      { numRuns: fewOrAll(25, 300) },
    )
  })
})
