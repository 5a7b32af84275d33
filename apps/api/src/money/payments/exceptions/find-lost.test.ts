import { randomBytes } from 'node:crypto'
import { DEFAULT_SETTINGS } from '@hedgerow/sandbox/settings'
import type { Json } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { beforeAll, describe, expect, test } from 'vitest'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import { createBtcpayClient } from '#money/gateway/btcpay/btcpay-client.ts'
import { createStripeClient } from '#money/gateway/stripe/stripe-client.ts'
import { findLost } from '#money/payments/exceptions/find-lost.ts'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { unknownRows } from '#testing/lost-payments.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { connectionsOf, paymentRow, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { actAtStripe, askStripe, typeAtStripe } from '#testing/stripe.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const put = (url: string, body: object, method = 'PUT', headers = {}) =>
  fetch(`${shop.sandbox.url}${url}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  await actAtStripe(shop, 'endpoints', { url: `${shop.url}/api/v1/payment/stripe` })
  const { btcpayStore, btcpayKey, btcpayWebhookSecret: secret } = DEFAULT_SETTINGS
  const webhook = { url: `${shop.url}/api/v1/payment/btcpay`, secret }
  await put(`/api/v1/stores/${btcpayStore}/webhooks`, webhook, 'POST', {
    authorization: `token ${btcpayKey}`,
  })
})

const GATEWAYS = {
  stripe: {
    clientFor: (publicUrl: string) =>
      createStripeClient({
        stripe: shop.settings.stripe as NonNullable<typeof shop.settings.stripe>,
        publicUrl,
      }),
    method: 'card',
    pay: (page: string) => typeAtStripe(page),
    isClaimed: false,
    /** In its dashboard, before anybody here knows of it. */
    givePartBack: async (id: string): Promise<number> => {
      const { data } = await askStripe(shop, 'checkout/sessions?limit=100')
      const { payment_intent } = data.find((one: Json) => one.metadata.payment_id === id)
      await askStripe(shop, 'refunds', { payment_intent, amount: '500' })
      return 500
    },
  },
  btcpay: {
    clientFor: (publicUrl: string) =>
      createBtcpayClient({
        btcpay: shop.settings.btcpay as NonNullable<typeof shop.settings.btcpay>,
        publicUrl,
      }),
    method: 'crypto',
    pay: (page: string) =>
      fetch(page, { method: 'POST', body: new URLSearchParams({ act: 'lightning' }), redirect: 'manual' }),
    isClaimed: true,
    givePartBack: async () => 0,
  },
} as const

describe.each(['stripe', 'btcpay'] as const)('a payment at %s that was begun after the backup', (name) => {
  const { clientFor, method, pay, isClaimed, givePartBack } = GATEWAYS[name]

  /** Its row was in the database that was lost. */
  const aLost = async (amountMinor = 3000, publicUrl = shop.settings.publicUrl): Promise<string> => {
    const paymentId = randomBytes(16).toString('hex')
    const sale = {
      paymentId,
      amountMinor,
      currency: 'EUR',
      description: 'Sold',
      customer: { id: 'u_42', email: 'ada@example.org' },
      cancelPath: '/',
    }
    const answer = await clientFor(publicUrl).page({ ...sale, method }, new Date())
    if (answer.kind !== 'page') throw new Error(`There is no page: ${JSON.stringify(answer)}`)
    await pay(answer.url)
    return paymentId
  }
  const rowOf = async (id: string) => (await unknownRows(shop)).find(({ payment_id }) => payment_id === id)
  const toldOf = (id: string) => until(async () => (await rowOf(id))?.status === 'Success')
  const withoutEvents = async <T>(work: () => Promise<T>): Promise<T> => {
    await put(`/${name}/faults`, { dropCallbacks: true })
    const done = await work()
    await put(`/${name}/faults`, { dropCallbacks: false })
    return done
  }
  const look = () =>
    findLost({
      db: shop.db,
      log,
      gateways: { ...gatewaysWhenAsked(shop.settings), [name]: clientFor(shop.settings.publicUrl) },
    })
  const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

  test('is kept when its event comes, and delivered where it was for an order', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const id = await aLost(Math.round(order.total * 100))
    await toldOf(id)
    const { json } = await ops('payment', 'unknown', '--json')
    expect(json.payments).toContainEqual(expect.objectContaining({ id, gateway: name, method }))
    const adopted = await ops(
      'payment',
      'adopt',
      id,
      '--customer',
      customer.email,
      '--order',
      order.orderId,
      '--yes',
    )
    expect(adopted.code, adopted.err).toBe(0)
    await reached(shop, id, 'Success')
    expect(await paymentRow(shop, id)).toMatchObject({ gateway: name, gateway_ref: expect.any(String) })
    expect(await connectionsOf(shop, id)).toHaveLength(3)
  })

  test('is found where its events were lost, and given back', async () => {
    const id = await withoutEvents(() => aLost())
    expect(await rowOf(id)).toBeUndefined()
    const back = await givePartBack(id)
    await look()
    expect(await rowOf(id)).toMatchObject({ status: 'Success', amount_minor: '3000', is_given_back: false })
    expect((await ops('payment', 'adopt', id, '--refund', '--yes')).code).toBe(0)
    const isOurs = ({ amount_minor }: { amount_minor: number }) => amount_minor === 3000 - back
    await until(async () => {
      const refund = (await refundsOf(shop, id)).find(isOurs)
      return isClaimed ? refund?.claim_url : refund?.status === 'Success'
    })
  })

  test('is none of this shop’s where another one on the same account began it', async () => {
    const id = await aLost(3000, 'https://other.example')
    const lost = await withoutEvents(() => aLost())
    await queueIsEmpty(shop)
    await look()
    expect(await rowOf(lost)).toBeDefined()
    expect(await rowOf(id)).toBeUndefined()
  })
})

const log = new Proxy({}, { get: () => () => undefined }) as never
