import { expectProblem } from '@hedgerow/testing/problems'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createBankList } from '#money/gateway/bank-list.ts'
import { switchFaults } from '#testing/gateway.ts'
import { startTestShop } from '#testing/test-shop.ts'

afterEach(() => vi.useRealTimers())

describe('GET /api/v1/payment/banks', () => {
  test('lists the banks of the countries that are switched on, by country and name, to anyone', async () => {
    const shop = await startTestShop({ env: { OPEN_BANKING_COUNTRIES: 'uk,germany' } })
    const { status, body } = await shop.call('GET', '/api/v1/payment/banks')
    expect(status).toBe(200)
    expect(body[0]).toEqual({ id: '3541', name: 'Barclays', country: 'uk', currency: 'GBP' })
    expect(body.map(({ country }: { country: string }) => country)).toEqual([
      ...Array(9).fill('uk'),
      ...Array(4).fill('germany'),
    ])
    const asked = shop.gateCalls.length
    await shop.call('GET', '/api/v1/payment/banks')
    expect([asked, shop.gateCalls.length]).toEqual([2, 2])
  })

  test('says that it cannot answer while nothing is known and the gateway is away', async () => {
    const shop = await startTestShop()
    await switchFaults(shop, { failCalls: true })
    expectProblem(await shop.call('GET', '/api/v1/payment/banks'), 503)
  })
})

describe('the list of banks', () => {
  const LATER_MS = 11 * 60_000

  /** A gateway that answers as set, by country. */
  const aGateway = () => {
    const lists: Record<string, unknown> = { uk: [{ id: 1, name: 'Old' }], germany: [{ id: 2, name: 'Alt' }] }
    const banks = vi.fn(async (country: string) => lists[country])
    const list = createBankList({ gateway: { banks }, settings: { bankCountries: ['uk', 'germany'] } })
    const names = async () => (await list.list()).map(({ name }) => name)
    return { lists, banks, names }
  }

  test('is kept of a country that the gateway does not list at the moment', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { lists, names } = aGateway()
    expect(await names()).toEqual(['Old', 'Alt'])
    Object.assign(lists, { uk: undefined, germany: [{ id: 3, name: 'Neu' }] })
    vi.setSystemTime(Date.now() + LATER_MS)
    await names()
    await expect.poll(names).toEqual(['Old', 'Neu'])
  })

  test('does not wait for a gateway that hangs, once there is a list', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { banks, names } = aGateway()
    await names()
    banks.mockImplementation(() => new Promise(() => undefined))
    vi.setSystemTime(Date.now() + LATER_MS)
    expect(await names()).toEqual(['Old', 'Alt'])
    expect(await names()).toEqual(['Old', 'Alt'])
  })

  test('is asked for once, however many want it at once', async () => {
    const { banks, names } = aGateway()
    await Promise.all([names(), names(), names()])
    expect(banks).toHaveBeenCalledTimes(2)
  })

  test.each([{}, 'no', [{ id: 1 }], null])('that makes no sense is none: %j', async (answer) => {
    const { lists, names } = aGateway()
    Object.assign(lists, { uk: answer, germany: answer })
    await expect(names()).rejects.toThrow()
  })
})
