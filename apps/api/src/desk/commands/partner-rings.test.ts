import { sql } from 'kysely'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { creditAndReleaseEarnings, creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anEarning, aPartner, aReferred, type TestPartner } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { aWithdrawal, requestPayout } from '#testing/withdrawals.ts'

const shop = shopOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1', PARTNER_MINIMUM_SPEND: '2' } })
const [CARD, OTHER_CARD] = ['4477000000000006', '5252000000000004']

const partner = (...args: string[]) => runOps(opsSettings(shop), 'partner', ...args)

const deps = () => ({ db: shop.db, settings: shop.settings, log: pino({ level: 'silent' }) })

let networks = 0

/** Buys from a network of its own, unless one is named. */
const buys = async (buyer: TestCustomer, pan: string, choice = {}, network = `198.51.100.${++networks}`) => {
  const call: typeof shop.call = (method, path, options = {}) =>
    shop.call(method, path, { ...options, headers: { 'x-forwarded-for': network } })
  await aPurchase({ call, db: shop.db }, choice, { pan }, buyer)
}

const ringsOf = async ({ promocode }: TestPartner) =>
  (await partner('rings', promocode, '--json')).json.rings as {
    partner: object
    tie: string
    name: string
    accounts: { email: string; isPartner: boolean; uncredited: number; sums: object[] }[]
  }[]

describe('ops partner rings', () => {
  test('shows accounts that paid with one card, in each currency, and what the partner earned of them', async () => {
    const ada = await aPartner(shop)
    const [one, two, apart] = [
      await aReferred(shop, ada),
      await aReferred(shop, ada),
      await aReferred(shop, ada),
    ]
    await buys(one, CARD, { days: 30, currency: 'GBP' })
    await buys(one, CARD, { days: 10, currency: 'EUR' })
    await buys(two, CARD, { days: 20, currency: 'GBP' })
    await buys(apart, OTHER_CARD)
    await creditPartners(shop)
    const [ring, ...others] = await ringsOf(ada)
    expect(others).toEqual([])
    expect(ring).toMatchObject({ partner: { email: ada.email }, tie: 'card', name: '447700******0006' })
    const accounts = [one, two].map(({ email }) => email).sort()
    expect(ring?.accounts.map(({ email }) => email)).toEqual(accounts)
    expect(ring?.accounts.find(({ email }) => email === one.email)).toMatchObject({
      isPartner: false,
      uncredited: 0,
      sums: [
        { currency: 'EUR', payments: 1, paid: '10.00', earned: '1.50' },
        { currency: 'GBP', payments: 1, paid: '30.00', earned: '3.00' },
      ],
    })
    const { out, code } = await partner('rings', ada.email)
    expect(out).toMatch(/^PARTNER +TIED BY +ACCOUNT +PAYMENTS +PAID +EARNED +NOT COUNTED\n/)
    expect(out).toContain(`card 447700******0006`)
    expect(code).toBe(0)
    expect((await partner('show', ada.promocode)).out).toContain(
      `Rings         1; see partner rings ${ada.promocode}`,
    )
  })

  test('shows the partner’s own account among them, and what was not counted', async () => {
    const ada = await aPartner(shop)
    const second = await aReferred(shop, ada)
    await buys(ada, CARD)
    await buys(second, CARD)
    await buys(second, OTHER_CARD, { days: 1 })
    await creditPartners(shop)
    const [ring] = await ringsOf(ada)
    expect(ring?.accounts).toMatchObject([
      { email: ada.email, isPartner: true, uncredited: 0 },
      { email: second.email, isPartner: false, uncredited: 1, sums: [{ payments: 1, earned: '0.00' }] },
    ])
    const { out } = await partner('show', ada.promocode)
    expect(out).toContain('Not counted   1 paid with the partner’s own card, 1 too small')
    expect((await partner('show', ada.promocode, '--json')).json).toMatchObject({
      uncredited: { ownCard: 1, smallSpend: 1 },
      rings: 1,
    })
  })

  test('shows accounts that paid from one network, by a name that leads nowhere', async () => {
    const ada = await aPartner(shop)
    const [one, two] = [await aReferred(shop, ada), await aReferred(shop, ada)]
    await buys(one, CARD, {}, '2001:db8:7:7::1')
    await buys(two, OTHER_CARD, {}, '2001:db8:7:7:1:2:3:4')
    const [ring, ...others] = await ringsOf(ada)
    expect(others).toEqual([])
    expect(ring).toMatchObject({ tie: 'network', name: expect.stringMatching(/^[0-9a-f]{8}$/) })
    expect((await partner('rings', ada.id)).out).not.toContain('2001')
  })

  test('goes on counting accounts that were deleted, each without a name, until nothing can be taken back any more', async () => {
    const ada = await aPartner(shop)
    const gone = [await aReferred(shop, ada), await aReferred(shop, ada)]
    for (const buyer of gone) await buys(buyer, CARD)
    const [twice] = gone
    if (twice) await buys(twice, CARD)
    await creditPartners(shop)
    for (const buyer of gone)
      expect((await eraseAccount(shop, buyer, { password: buyer.password })).status).toBe(200)
    await creditAndReleaseEarnings(deps())
    const [ring, ...others] = await ringsOf(ada)
    expect(others).toEqual([])
    expect(ring).toMatchObject({ tie: 'card', accounts: [{ email: null }, { email: null }] })
    const counts = ring?.accounts.flatMap(({ sums }) => sums)
    expect(counts?.map((sum) => (sum as { payments: number }).payments).sort()).toEqual([1, 2])
    expect((await partner('rings', ada.promocode)).out).toMatch(/card 447700\S+ +a deleted account +/)
    await sql`update earnings set available_at = now() where partner_id = ${ada.id}`.execute(shop.db)
    await creditAndReleaseEarnings(deps())
    expect(await ringsOf(ada)).toEqual([])
    const kept = await sql`select from payments where partner_id = ${ada.id}
      and (card_hash is not null or erased_account is not null)`.execute(shop.db)
    expect(kept.rows).toEqual([])
  })

  test('is told with a withdrawal', async () => {
    const ada = await aPartner(shop)
    for (const buyer of [await aReferred(shop, ada), await aReferred(shop, ada)]) await buys(buyer, CARD)
    await anEarning(shop, ada.id, 30_000)
    const { _id } = (await requestPayout(shop, ada, aWithdrawal())).body
    const key = { KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '' }
    const { out } = await runOps({ ...opsSettings(shop), ...key }, 'withdrawal', 'show', _id)
    expect(out).toMatch(/\nRings +1\n/)
  })

  test('ties nobody who credits somebody else, or nobody', async () => {
    const [ada, eve] = [await aPartner(shop), await aPartner(shop)]
    await buys(await aReferred(shop, ada), CARD)
    await buys(await aReferred(shop, eve), CARD)
    await buys(await aCustomer(shop), CARD)
    expect(await ringsOf(ada)).toEqual([])
    expect((await partner('rings', ada.promocode)).out).toBe(
      'No accounts that credit a partner have paid with the same card or from the same network.\n',
    )
  })

  test('shows all rings without a name, and knows no other partners', async () => {
    for (const ada of [await aPartner(shop), await aPartner(shop)])
      for (const buyer of [await aReferred(shop, ada), await aReferred(shop, ada)]) await buys(buyer, CARD)
    const { json } = await partner('rings', '--limit', '1', '--json')
    expect(json.rings).toHaveLength(1)
    expect(json.hasMore).toBe(true)
    const { err, code } = await partner('rings', 'NOBODYS234')
    expect([err, code]).toEqual(['There is no partner NOBODYS234.\n', 1])
  })
})
