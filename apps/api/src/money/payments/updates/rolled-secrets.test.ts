import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { BTCPAY } from '#testing/btcpay.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const OLD = 'whsec_the_secret_before'
const NEW = 'whsec_the_secret_after'

const aShopWith = (secrets: string) =>
  startTestShop({ env: { STRIPE_WEBHOOK_SECRETS: secrets, BTCPAY_WEBHOOK_SECRETS: secrets } })

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** What each gateway's event is answered, signed with the secret. */
const answersTo = async (shop: TestShop, secret: string): Promise<number[]> => {
  const send = async (
    gateway: string,
    event: object,
    headersOf: (text: string) => Record<string, string>,
  ) => {
    const body = JSON.stringify(event)
    const headers = { 'content-type': 'application/json', ...headersOf(body) }
    return (await shop.call('POST', `/api/v1/payment/${gateway}`, { body, headers })).status
  }
  const at = Math.floor(Date.now() / 1000)
  const stripe = {
    ...{ id: 'evt_1', object: 'event', type: 'checkout.session.completed', livemode: false },
    data: { object: { metadata: {} } },
  }
  const btcpay = { type: 'InvoiceSettled', storeId: BTCPAY.store, invoiceId: 'any', metadata: {} }
  return [
    await send('stripe', stripe, (text) => ({
      'stripe-signature': `t=${at},v1=${hmac(secret, `${at}.${text}`)}`,
    })),
    await send('btcpay', btcpay, (text) => ({ 'btcpay-sig': `sha256=${hmac(secret, text)}` })),
  ]
}

test('while a webhook’s secret is replaced both count, and the old one no more once it is taken away', async () => {
  const rolling = await aShopWith(`${OLD},${NEW}`)
  expect(await answersTo(rolling, OLD)).toEqual([200, 200])
  expect(await answersTo(rolling, NEW)).toEqual([200, 200])
  expect(await answersTo(rolling, 'whsec_of_somebody_else')).toEqual([400, 400])
  const rolled = await aShopWith(NEW)
  expect(await answersTo(rolled, OLD)).toEqual([400, 400])
  expect(await answersTo(rolled, NEW)).toEqual([200, 200])
})
