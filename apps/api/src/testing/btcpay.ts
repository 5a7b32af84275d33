import { DEFAULT_SETTINGS } from '@hedgerow/sandbox/settings'
import type { Json } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, expect } from 'vitest'
import { type AttentionItem, isAttentionItem } from '#care/telemetry/attention-items.ts'
import { setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { reached } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

export const BTCPAY = {
  key: DEFAULT_SETTINGS.btcpayKey,
  store: DEFAULT_SETTINGS.btcpayStore,
  secret: DEFAULT_SETTINGS.btcpayWebhookSecret,
}

/** A shop of a test file, which takes bitcoin: its BTCPay Server, and who pays there. */
export const btcpayOf = (shop: TestShop) => {
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const reply = await fetch(`${shop.sandbox.url}/api/v1/stores/${BTCPAY.store}/${path}`, {
      method,
      headers: {
        authorization: `token ${BTCPAY.key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return JSON.parse((await reply.text()) || 'null')
  }

  const switchCrypto = async (on: boolean): Promise<void> => {
    if (on) await setRunningSetting(shop.db, 'crypto-gateway', 'btcpay', null)
    else await shop.db.deleteFrom('running_settings').where('name', '=', 'crypto-gateway').execute()
    const isOn = async () => (await shop.call('GET', '/api/v1/payment/methods')).body.takesCrypto === true
    await until(async () => (await isOn()) === on)
  }

  beforeAll(async () => {
    await ask('POST', 'webhooks', { url: `${shop.url}/api/v1/payment/btcpay`, secret: BTCPAY.secret })
    await switchCrypto(true)
  })

  const faults = async (changes: object): Promise<void> => {
    const reply = await fetch(`${shop.sandbox.url}/btcpay/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }

  const pay = async (customer: { token: string }, order: Json, more: object = {}) =>
    shop.call('POST', `/api/v1/orders/crypto/${order.orderId}`, {
      token: customer.token,
      body: { total: order.total, currency: order.currency.code, acceptTerms: true, ...more },
    })

  const metadataOf = async (paymentId: string): Promise<Json> =>
    JSON.parse((await shop.call('GET', `/api/v1/payment/status/${paymentId}`)).body.metadata)

  /** An attempt whose customer stands before the invoice. */
  const anAttempt = async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const { status, body } = await pay(customer, order)
    expect(status).toBe(200)
    const { paymentId } = body
    await reached(shop, paymentId, 'awaiting redirect result')
    return {
      customer,
      order,
      paymentId: paymentId as string,
      page: (await metadataOf(paymentId)).url as string,
    }
  }

  /** What the customer does, and the network. */
  const press = async ({ page }: { page: string }, ...acts: string[]): Promise<void> => {
    for (const act of acts) {
      const reply = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ act }),
        redirect: 'manual',
      })
      expect(reply.status).toBe(303)
    }
  }

  const check = async (paymentId: string): Promise<void> => {
    await sql`update payments set next_check_at = now() where id = ${paymentId} and next_check_at is not null`.execute(
      shop.db,
    )
    await hurry(shop, 'check-payments')
  }

  /** Whether operators are told of the payment. */
  const isAmong = async (item: AttentionItem, paymentId: string): Promise<boolean> => {
    const query = shop.db.selectFrom('payments').select('id').where('id', '=', paymentId)
    return (await query.where(isAttentionItem(item)).executeTakeFirst()) !== undefined
  }

  return { ask, switchCrypto, faults, pay, metadataOf, anAttempt, press, check, isAmong }
}
