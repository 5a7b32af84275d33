import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { OSS, placeOf } from '#testing/oss-shops.ts'
import { cardBody } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const COUNTRY_HEADER = 'CF-IPCountry'

const PROXY = { COUNTRY_HEADER, TRUSTED_PROXIES: '127.0.0.1/32', REFUSED_COUNTRIES: 'KP,SE' }
const behindProxy = shopOfFile({ env: { ...OSS, ...PROXY } })
/** Its proxy is another machine: who calls here is a client. */
const direct = shopOfFile({ env: { ...OSS, COUNTRY_HEADER, TRUSTED_PROXIES: '10.9.8.7/32' } })
const uk = shopOfFile({ env: PROXY })

const payFrom = async (shop: typeof direct, headers: Record<string, string>, country = 'DE') => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  return shop.call('POST', `/api/v1/orders/${order.orderId}`, {
    token: customer.token,
    body: { ...cardBody(order), country },
    headers,
  })
}

const keptOf = async (shop: typeof direct, headers: Record<string, string>) =>
  (await placeOf(shop, (await payFrom(shop, headers)).body.paymentId)).network_country

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' }

describe('the country of the network', () => {
  test('is kept as the trusted proxy tells it', async () => {
    expect(await keptOf(behindProxy, { ...FORWARDED, 'cf-ipcountry': 'FR' })).toBe('FR')
    expect(await keptOf(behindProxy, { ...FORWARDED, 'CF-IPCOUNTRY': ' fr ' })).toBe('FR')
  })

  test('is not believed of a client who calls without the proxy', async () => {
    expect(await keptOf(direct, { ...FORWARDED, 'cf-ipcountry': 'FR' })).toBeNull()
    expect(await keptOf(direct, { 'x-forwarded-for': '10.9.8.7, 10.9.8.7', 'cf-ipcountry': 'FR' })).toBeNull()
  })

  test('is not believed of a proxy that does not say for whom it calls', async () => {
    expect(await keptOf(behindProxy, { 'cf-ipcountry': 'FR' })).toBeNull()
  })

  test.each(['XX', 'T1', 'EU', 'A1', 'FR, DE', '<b>FR</b>', 'F'.repeat(5_000), ''])(
    'is unknown where "%s" stands',
    async (country) => {
      expect(await keptOf(behindProxy, { ...FORWARDED, 'cf-ipcountry': country })).toBeNull()
    },
  )

  test('is not kept under VAT_SCHEME=uk', async () => {
    expect(await keptOf(uk, { ...FORWARDED, 'cf-ipcountry': 'FR' })).toBeNull()
  })
})

describe('a country that nothing is sold to', () => {
  const count = async (shop: typeof direct) =>
    (await shop.db.selectFrom('payments').select('id').execute()).length

  test.each([
    ['under VAT_SCHEME=uk', uk],
    ['under VAT_SCHEME=oss', behindProxy],
  ])('is refused by its network, %s', async (_, shop) => {
    const before = await count(shop)
    const reply = await payFrom(shop, { ...FORWARDED, 'cf-ipcountry': 'KP' })
    expect(expectProblem(reply, 409).body.detail).toBe('We do not sell to the country that you are in.')
    expect(await count(shop)).toBe(before)
  })

  test('is refused where it is chosen', async () => {
    const reply = await payFrom(behindProxy, { ...FORWARDED, 'cf-ipcountry': 'FR' }, 'SE')
    expect(messageFor(expectProblem(reply, 422), 'country')).toBe('We do not sell to Sweden')
  })
})
