import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { OSS, placeOf } from '#testing/oss-shops.ts'
import { cardBody } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const COUNTRY_HEADER = 'CF-IPCountry'

const behindProxy = shopOfFile({ env: { ...OSS, COUNTRY_HEADER, TRUSTED_PROXIES: '127.0.0.1/32' } })
/** Its proxy is another machine: who calls here is a client. */
const direct = shopOfFile({ env: { ...OSS, COUNTRY_HEADER, TRUSTED_PROXIES: '10.9.8.7/32' } })
const uk = shopOfFile({ env: { COUNTRY_HEADER, TRUSTED_PROXIES: '127.0.0.1/32' } })

const keptOf = async (shop: typeof direct, headers: Record<string, string>) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const { body } = await shop.call('POST', `/api/v1/orders/${order.orderId}`, {
    token: customer.token,
    body: { ...cardBody(order), country: 'DE' },
    headers,
  })
  return (await placeOf(shop, body.paymentId)).network_country
}

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
