import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anEarning, aPartner, setStanding } from '#testing/partners.ts'
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
  test('lists partners, those with the most transactions first', async () => {
    const busy = await aPartner(shop, { transactions: 11 })
    const calm = await aPartner(shop, { transactions: 2 })
    const { out } = await ops('partner', 'list')
    expect(out).toMatch(/^PARTNER +PROMOCODE +LEVEL +SHARE +TRANSACTIONS +BY CODE +CROSSINGS\n/)
    expect(out).toMatch(new RegExp(`${busy.email} +${busy.promocode} +4 +25% +11 +0 +0\n`))
    expect(out.indexOf(busy.email)).toBeLessThan(out.indexOf(calm.email))
    const first = await ops('partner', 'list', '--limit', '1')
    expect(first.out).toMatch(/^.*\n.*\nThese are the 1 with the most transactions\. .*\n$/)
  })

  test('shows one by promocode, e-mail or id, with balances and without whoever bought', async () => {
    const partner = await aPartner(shop)
    await setStanding(shop, partner, { transactions: 4 })
    const { customer, paymentId } = await aSale(partner.promocode)
    for (const name of [partner.promocode.toLowerCase(), partner.email.toUpperCase(), partner.id]) {
      const { out, code } = await ops('partner', 'show', name)
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`^Partner +${partner.email}\nId +${partner.id}\n`))
      expect(out).toMatch(
        /Level +3, 20%; level 4 from 10 transactions\nTransactions +5, 1 of them by promocode\n/,
      )
      // 15% of €25.50.
      expect(out).toMatch(
        /EUR +€0\.00 available, €3\.83 pending, €0\.00 requested, €0\.00 paid\nGBP +nothing yet\n/,
      )
      expect(out).toMatch(/\n\nWHEN +WHAT +AMOUNT +PAYMENT OR WITHDRAWAL\n/)
      expect(out).toMatch(new RegExp(`earned by the promocode, 15% +€3\\.83 +${paymentId}\n$`))
      expect(out).not.toContain(customer.email)
    }
    expect((await ops('partner', 'show', partner.id, '--json')).json).toMatchObject({
      id: partner.id,
      level: 3,
      promocodeUses: 1,
      balances: [
        { currency: 'EUR', pending: '3.83', available: '0.00' },
        { currency: 'GBP', pending: '0.00' },
      ],
      statement: [
        { kind: 'earned', from: 'shop', to: 'pending', amount: '3.83', currency: 'EUR', paymentId },
      ],
      hasMore: false,
    })
  })

  test('shows the newest movements of the account, as many as asked for', async () => {
    const partner = await aPartner(shop)
    await anEarning(shop, partner.id, 300)
    const { out } = await ops('partner', 'show', partner.id)
    expect(out).toMatch(/\n.* became available +€3\.00 .*\n.* earned by the link, 10% +€3\.00 .*\n$/)
    const one = await ops('partner', 'show', partner.id, '--limit', '1')
    expect(one.out).not.toContain('earned by')
    expect(one.out).toMatch(/These are the newest 1 movements\. To see more, raise --limit\.\n$/)
    const { json } = await ops('partner', 'show', partner.id, '--limit', '1', '--json')
    expect(json).toMatchObject({ statement: [{ kind: 'matured' }], hasMore: true })
  })

  test('says of one that there is not that there is none', async () => {
    for (const name of ['NOBODYS234', '7d0e4b52-52a5-4c9b-9df0-6a1f5a4bd6a0'])
      expect(await ops('partner', 'show', name)).toMatchObject({
        code: 1,
        err: `There is no partner ${name}.\n`,
      })
  })
})

test('ops payment shows what a promocode took off', async () => {
  const { promocode } = await aPartner(shop)
  const { paymentId } = await aPurchase(shop, { promocode })
  const { out } = await ops('payment', paymentId)
  expect(out).toMatch(new RegExp(`Charged +€27.00\nPromocode +${promocode}, −€3.00 from €30.00\n`))
  expect((await ops('payment', paymentId, '--json')).json).toMatchObject({
    price: { amount: '30.00', currency: 'EUR' },
    discount: { promocode, amount: '3.00', currency: 'EUR' },
    total: { amount: '27.00', currency: 'EUR' },
  })
})
