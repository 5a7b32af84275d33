import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPartner } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

const aSale = async (promocode: string) => {
  const bought = await aPurchase(shop, { promocode })
  await creditPartners(shop)
  return bought
}

describe('ops partner', () => {
  test('shows one by promocode, email address or id, without anyone who bought', async () => {
    const partner = await aPartner(shop)
    const { customer, paymentId } = await aSale(partner.promocode)
    for (const name of [partner.promocode.toLowerCase(), partner.email.toUpperCase(), partner.id]) {
      const { out, err } = await ops('partner', 'show', name)
      // 10% of €27.00.
      expect([err, out]).toEqual(['', expect.stringMatching(/\nEUR +€0\.00 +€2\.70 +€0\.00 /)])
      expect(out).toMatch(new RegExp(`earned by the promocode, 10% +€2\\.70 +${paymentId}`))
      expect(out).not.toContain(customer.email)
    }
    expect((await ops('partner', 'show', partner.id, '--json')).json).toMatchObject({ byPromocode: 1 })
    for (const args of [
      ['show', 'NOBODYS234'],
      ['rings', '--partner', 'NOBODYS234'],
    ])
      expect(await ops('partner', ...args)).toMatchObject({
        code: 1,
        err: 'There is no partner NOBODYS234.\n',
      })
  })
})

test('ops payment shows what a promocode took off', async () => {
  const { promocode } = await aPartner(shop)
  const { paymentId } = await aPurchase(shop, { promocode })
  const { json } = await ops('payment', 'show', paymentId, '--json')
  expect(json).toMatchObject({ promocode, price: { minor: 3000 }, total: { minor: 2700 } })
})
