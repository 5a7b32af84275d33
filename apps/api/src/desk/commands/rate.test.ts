import { describe, expect, test } from 'vitest'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { startTestShop } from '#testing/test-shop.ts'

const aShop = async () => {
  const shop = await startTestShop()
  const settings = opsSettings(shop)
  /** In millionths, as the checkout is told them. */
  const rateOf = async (currency: string) => {
    const { body } = await shop.call('GET', '/api/v1/payment/methods')
    return body.blik.rates.find((one: { currency: string }) => one.currency === currency).rateMicro
  }
  return { shop, settings, rate: (...args: string[]) => runOps(settings, 'rate', ...args), rateOf }
}

describe('ops rate', () => {
  test('sets what customers are shown from then on', async () => {
    const { rate, rateOf } = await aShop()
    const { code, out } = await rate('set', 'eur', '4.3012')
    expect(out).toBe('From now on 1 EUR is 4.3012 PLN for Blik. Payments under way keep their rate.\n')
    expect(code).toBe(0)
    expect(await rateOf('EUR')).toBe(4_301_200)
    const { json } = await rate('list', '--json')
    const setAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(json.rates).toContainEqual({ currency: 'EUR', rate: '4.3012', setAt })
  })

  test('lists the rates of now', async () => {
    const { rate } = await aShop()
    await rate('set', 'GBP', '5.10')
    const { code, out } = await rate('list')
    expect(out).toMatch(
      /^CURRENCY {2}PLN +SET\nEUR +4\.25 +\d\d\/\d\d\/\d{4} \d\d:\d\d\nGBP +5\.10 +\d\d\/\d\d/,
    )
    expect(code).toBe(0)
  })

  test('asks about one that is more than a tenth from the last', async () => {
    const { settings, rate, rateOf } = await aShop()
    const asked = await rate('set', 'EUR', '4.68')
    expect(asked.err).toMatch(/^Set 4\.68\? It is more than a tenth away from the last rate, 4\.25\. .*--yes/)
    expect(asked.code).toBe(1)
    expect((await runOpsAtTerminal(settings, 'n\n', 'rate', 'set', 'EUR', '42.5')).code).toBe(1)
    expect(await rateOf('EUR')).toBe(4_250_000)
  })

  test('does not ask about one that is a tenth from the last, or that is meant', async () => {
    const { rate, rateOf } = await aShop()
    expect((await rate('set', 'EUR', '4.675')).code).toBe(0)
    expect((await rate('set', 'EUR', '2', '--yes')).code).toBe(0)
    expect(await rateOf('EUR')).toBe(2_000_000)
  })

  test('two operators at once leave one rate, that of the later', async () => {
    const { rate, rateOf } = await aShop()
    const outcomes = await Promise.all([rate('set', 'EUR', '4.30'), rate('set', 'EUR', '4.31')])
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect([4_300_000, 4_310_000]).toContain(await rateOf('EUR'))
  })
})
