import { CEILINGS } from '@hedgerow/contract/endpoint'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

/** So few that they are soon reached; what is allowed scales with all other limits. */
const SCALE = 0.002
const LIMITED = { env: { RATE_LIMIT_SCALE: String(SCALE), TRUSTED_PROXIES: '127.0.0.1,::1' } }
const OF_ADDRESS = Math.ceil(CEILINGS.address.calls * SCALE)
const OF_CUSTOMER = Math.ceil(CEILINGS.customer.calls * SCALE)

const from = (address: string) => ({ 'x-forwarded-for': address })

const countUntilRefused = async (most: number, call: (count: number) => Promise<Reply>): Promise<number> => {
  for (let count = 0; count <= most; count++) {
    const reply = await call(count)
    if (reply.status !== 429) continue
    const wait = Number(expectProblem(reply, 429).headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(600)
    return count
  }
  return Number.POSITIVE_INFINITY
}

describe('calls that only read are bounded, too:', () => {
  const read = (shop: TestShop, path: string, address: string, token?: string) =>
    shop.call('GET', path, { token, headers: from(address) })

  test('by address, all together, before the caller is known', async () => {
    const shop = await startTestShop(LIMITED)
    const paths = ['/api/v1/status', '/api/v1/shop/items', '/api/v1/user/profile', '/api/v1/locations']
    const count = await countUntilRefused(OF_ADDRESS + 10, (i) =>
      read(shop, paths[i % paths.length] ?? '', '198.51.100.1', `x${'0'.repeat(42)}`),
    )
    expect(count).toBe(OF_ADDRESS)
    expect((await read(shop, '/api/v1/status', '198.51.100.2')).status).toBe(200)
    // Pages and their files are not calls.
    expect((await read(shop, '/nothing', '198.51.100.1')).status).toBe(404)
  })

  test('by the network around it, whichever of its lines calls', async () => {
    const shop = await startTestShop(LIMITED)
    const count = await countUntilRefused(OF_ADDRESS * 5, (i) =>
      read(shop, '/api/v1/status', `2001:db8:1:${(i % 256).toString(16)}00::1`),
    )
    expect(count).toBe(OF_ADDRESS * 4)
    expect((await read(shop, '/api/v1/status', '2001:db8:2::1')).status).toBe(200)
  })

  test('by account, from however many addresses', async () => {
    const shop = await startTestShop(LIMITED)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const paths = ['/api/v1/user/profile', '/api/v1/orders', '/api/v1/payment/history', '/api/v1/support']
    const count = await countUntilRefused(OF_CUSTOMER + 5, (i) =>
      read(shop, paths[i % paths.length] ?? '', `198.51.100.${i}`, ada.token),
    )
    expect(count).toBe(OF_CUSTOMER)
    expect((await read(shop, '/api/v1/user/profile', '198.51.100.1', eve.token)).status).toBe(200)
  })
})

test('agents and the gateway, who prove themselves otherwise, share no bound with their neighbours', async () => {
  const shop = await startTestShop(LIMITED)
  const ask = () => shop.call('GET', '/api/v1/agent/changes', { headers: from('198.51.100.1') })
  for (let i = 0; i < OF_ADDRESS + 5; i++) expectProblem(await ask(), 401)
})
