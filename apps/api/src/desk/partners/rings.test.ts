import { getConsolePartner, listRings } from '@hedgerow/contract/console/partners'
import { getConsoleWithdrawal } from '@hedgerow/contract/console/withdrawals'
import { sql } from 'kysely'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { partnersRoutes } from '#desk/partners/partners.routes.ts'
import { withdrawalsRoutes } from '#desk/withdrawals/withdrawals.routes.ts'
import { creditAndReleaseEarnings, creditPartners } from '#partners/earnings/earnings.service.ts'
import { callsBy } from '#testing/calls.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { anEarning, aPartner, aReferred, type TestPartner } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { aWithdrawal, requestPayout } from '#testing/withdrawals.ts'

const shop = shopOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1', PARTNER_MINIMUM_SPEND: '2' } })
const [CARD, OTHER_CARD] = ['4477000000000006', '5252000000000004']

const dependencies = () => ({ db: shop.db, exportDb: shop.db, log: console as never })
const calls = () => callsBy((app) => partnersRoutes(app, dependencies()))

type Rings = z.infer<(typeof listRings.schema.response)[200]>

const rings = async (query: object) => (await calls().call(listRings, { query })) as Rings
const shown = (partnerId: string) => calls().call(getConsolePartner, { params: { partnerId } })

const deps = () => ({ db: shop.db, settings: shop.settings, log: pino({ level: 'silent' }) })

let networks = 0

/** Buys from a network of its own, unless one is named. */
const buys = async (buyer: TestCustomer, pan: string, choice = {}, network = `198.51.100.${++networks}`) => {
  const call: typeof shop.call = (method, path, options = {}) =>
    shop.call(method, path, { ...options, headers: { 'x-forwarded-for': network } })
  await aPurchase({ call, db: shop.db }, choice, { pan }, buyer)
}

const ringsOf = async ({ id }: TestPartner) => (await rings({ partnerId: id })).rings

describe('rings of a partner', () => {
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
    expect(ring).toMatchObject({ partnerId: ada.id, tie: 'card', name: '447700******0006' })
    expect(ring?.accounts.map(({ customerId }) => customerId).toSorted()).toEqual([one.id, two.id].toSorted())
    expect(ring?.accounts.find(({ customerId }) => customerId === one.id)).toMatchObject({
      isPartner: false,
      uncredited: 0,
      sums: [
        { payments: 1, paid: { minor: 1_000, currency: 'EUR' }, earned: { minor: 100, currency: 'EUR' } },
        { payments: 1, paid: { minor: 3_000, currency: 'GBP' }, earned: { minor: 300, currency: 'GBP' } },
      ],
    })
    expect(await shown(ada.id)).toMatchObject({ rings: [ring] })
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
      { customerId: ada.id, isPartner: true, uncredited: 0 },
      {
        customerId: second.id,
        isPartner: false,
        uncredited: 1,
        sums: [{ payments: 1, earned: { minor: 0 } }],
      },
    ])
    expect(await shown(ada.id)).toMatchObject({ uncredited: { ownCard: 1, smallSpend: 1 } })
  })

  test('shows accounts that paid from one network, by a name that leads nowhere', async () => {
    const ada = await aPartner(shop)
    const [one, two] = [await aReferred(shop, ada), await aReferred(shop, ada)]
    await buys(one, CARD, {}, '2001:db8:7:7::1')
    await buys(two, OTHER_CARD, {}, '2001:db8:7:7:1:2:3:4')
    const [ring, ...others] = await ringsOf(ada)
    expect(others).toEqual([])
    expect(ring).toMatchObject({ tie: 'network', name: expect.stringMatching(/^[0-9a-f]{8}$/) })
    expect(JSON.stringify(ring)).not.toContain('2001')
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
    expect(ring).toMatchObject({ tie: 'card', accounts: [{ customerId: null }, { customerId: null }] })
    const counts = ring?.accounts.flatMap(({ sums }) => sums)
    expect(counts?.map((sum) => (sum as { payments: number }).payments).sort()).toEqual([1, 2])
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
    const withdrawals = callsBy((app) =>
      withdrawalsRoutes(app, { ...dependencies(), settings: shop.settings, keyCipher: undefined as never }),
    )
    const params = { withdrawalId: _id }
    expect(await withdrawals.call(getConsoleWithdrawal, { params })).toMatchObject({ rings: 1 })
  })

  test('ties nobody who credits somebody else, or nobody', async () => {
    const [ada, eve] = [await aPartner(shop), await aPartner(shop)]
    await buys(await aReferred(shop, ada), CARD)
    await buys(await aReferred(shop, eve), CARD)
    await buys(await aCustomer(shop), CARD)
    expect(await ringsOf(ada)).toEqual([])
  })

  test('are shown of all partners, so many as were asked for', async () => {
    for (const ada of [await aPartner(shop), await aPartner(shop)])
      for (const buyer of [await aReferred(shop, ada), await aReferred(shop, ada)]) await buys(buyer, CARD)
    expect(await rings({ limit: 1 })).toMatchObject({ rings: [{}], hasMore: true })
  })
})
