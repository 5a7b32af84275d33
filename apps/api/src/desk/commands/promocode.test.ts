import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { anEarning, aPartner, setStanding } from '#testing/partners.ts'
import { aPurchase, CARDS, challengeOf, pay, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

const check = async (promocode: string) => {
  const { token } = await aCustomer(shop)
  return shop.call('POST', '/api/v1/partnership/promocode', { token, body: { promocode } })
}

const aSale = async (promocode: string) => {
  const bought = await aPurchase(shop, { promocode })
  await creditPartners(shop)
  return bought
}

describe('ops promocode', () => {
  test('says that there is nothing to list, and lists what was used', async () => {
    const partner = await aPartner(shop)
    const { promocode } = partner
    await aSale(promocode)
    const { out, code } = await ops('promocode', 'list')
    expect(out).toMatch(/^PROMOCODE +PARTNER +TAKES OFF +USES +LIMIT +STATE\n/)
    expect(out).toMatch(new RegExp(`${promocode} +${partner.email} +15% +1 +none +open\n`))
    expect(code).toBe(0)
    const { json } = await ops('promocode', 'list', '--json')
    expect(json.promocodes).toContainEqual({
      promocode,
      partner: { id: partner.id, email: partner.email },
      percentage: 15,
      uses: 1,
      limit: null,
      closedAt: null,
    })
  })

  test('shows one, with what is under way', async () => {
    const partner = await aPartner(shop, { promocode_limit: 7 })
    const { promocode } = partner
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { promocode })
    await challengeOf(shop, await startPayment(shop, customer, order, { pan: CARDS.challenged }))
    const { out } = await ops('promocode', 'show', promocode.toLowerCase())
    expect(out).toMatch(new RegExp(`^Promocode +${promocode}\nPartner +${partner.email}, ${partner.id}\n`))
    expect(out).toMatch(/Uses +0 credited, 1 under way\nLimit +7\nState +open\n$/)
    expect(out).not.toContain(customer.email)
    expect((await ops('promocode', 'show', promocode, '--json')).json).toMatchObject({
      limit: 7,
      usesToCome: 1,
    })
  })

  test('limits how often a code can be used, and takes the limit off', async () => {
    const { promocode } = await aPartner(shop)
    await aSale(promocode)
    const { out, code } = await ops('promocode', 'limit', promocode, '1')
    expect([code, out]).toEqual([0, `${promocode} may be used once in all, and has been used once so far.\n`])
    expect((await check(promocode)).status).toBe(422)
    expect((await ops('promocode', 'list')).out).toMatch(new RegExp(`${promocode} .* 1 +1 +used up\n`))
    const again = await ops('promocode', 'limit', promocode, '1')
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing changed: ')])
    const free = await ops('promocode', 'limit', promocode, 'none', '--json')
    expect(free.json).toMatchObject({ isChanged: true, promocode: { limit: null, uses: 1 } })
    expect((await check(promocode)).status).toBe(200)
  })

  test('closes a code, so that nothing is paid with it, and opens it again', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { promocode })
    const closed = await ops('promocode', 'close', promocode)
    expect([closed.code, closed.out]).toEqual([0, expect.stringContaining(`${promocode} is closed.`)])
    expect((await ops('promocode', 'close', promocode, '--json')).json).toMatchObject({ isChanged: false })
    expect([(await check(promocode)).status, (await pay(shop, customer, order)).status]).toEqual([422, 409])
    const opened = await ops('promocode', 'open', promocode)
    expect([opened.code, opened.out]).toEqual([0, `${promocode} is open.\n`])
    expect([(await check(promocode)).status, (await pay(shop, customer, order)).status]).toEqual([200, 200])
  })

  test('knows no code that is nobody’s, and none that is no code', async () => {
    for (const args of [
      ['show', 'NOBODYS234'],
      ['limit', 'NOBODYS234', '3'],
    ]) {
      const { code, err } = await ops('promocode', ...args)
      expect([code, err]).toEqual([1, 'Nobody has the promocode NOBODYS234.\n'])
    }
    expect((await ops('promocode', 'show', "A' or 1=1")).code).toBe(2)
    expect((await ops('promocode', 'limit', 'NOBODYS234', '0')).code).toBe(2)
  })
})

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
