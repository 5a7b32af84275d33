import { until } from '@hedgerow/testing/until'
import { afterEach, describe, expect, test } from 'vitest'
import { countUncredited } from '#desk/partners/rings.queries.ts'
import { creditPartners, matureEarnings } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { buyOnPage } from '#testing/hosted-cards.ts'
import { anOrder, type Choice } from '#testing/orders.ts'
import {
  aPartner,
  aReferred,
  balanceOf,
  earningOf,
  endHolds,
  partnerRow,
  partnershipOf,
  setStanding,
  settle,
} from '#testing/partners.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { refundAtGateway } from '#testing/refunds.ts'
import { openSecondFront, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** Cards that are paid with at once. */
const [CARD, OTHER_CARD] = ['4477000000000006', '5252000000000004']

afterEach(async () => {
  expect(await checkBooks(shop)).toEqual([])
})

const buys = async (buyer: TestCustomer, pan: string, choice: Partial<Choice> = {}, on: TestShop = shop) => {
  const { paymentId } = await aPurchase(on, choice, { pan }, buyer)
  return paymentId
}

/** Whether a payment is credited, once the round has seen it. */
const credited = async (paymentId: string, on: TestShop = shop) => {
  await until(async () => {
    await creditPartners(on)
    return (await paymentRow(on, paymentId)).is_credited
  })
  return (await earningOf(on, paymentId)) !== undefined
}

const why = async (paymentId: string, on: TestShop = shop) =>
  (await paymentRow(on, paymentId)).uncredited_because

describe('a partner earns nothing', () => {
  test('of a second account that pays with the partner’s own card, in whatever currency', async () => {
    const partner = await aCustomer(shop)
    await buys(partner, CARD, { currency: 'GBP' })
    const second = await aReferred(shop, partner)
    const [same, again] = [await buys(second, CARD, { currency: 'EUR' }), await buys(second, CARD)]
    expect([await credited(same), await credited(again)]).toEqual([false, false])
    expect(await why(same)).toBe('own-card')
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: 0 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ level: 1, pendingTransactions: 0 })
    // Of another card they do, and another customer of this one, too.
    const other = await buys(second, OTHER_CARD)
    expect(await credited(other)).toBe(true)
    expect(await earningOf(shop, other)).toMatchObject({ level: 1, percentage: 10 })
    const stranger = await aReferred(shop, await aCustomer(shop))
    expect(await credited(await buys(stranger, CARD))).toBe(true)
  })

  test('of a card that was declined when the partner tried it', async () => {
    const partner = await aCustomer(shop)
    const order = await anOrder(shop, partner)
    const declined = await startPayment(shop, partner, order, { pan: CARDS.challenged })
    await answerChallenge(shop, declined, false)
    await reached(shop, declined, 'Decline')
    const second = await aReferred(shop, partner)
    const paid = await startPayment(shop, second, await anOrder(shop, second), { pan: CARDS.challenged })
    await answerChallenge(shop, paid)
    await reached(shop, paid, 'Success')
    expect(await credited(paid)).toBe(false)
  })

  test('however many such payments are credited at once, by two processes', async () => {
    await openSecondFront(shop)
    const partner = await aCustomer(shop)
    await buys(partner, CARD)
    const seconds = await Promise.all(Array.from({ length: 4 }, () => aReferred(shop, partner)))
    const paid = await Promise.all(
      seconds.flatMap((second) => [buys(second, CARD), buys(second, OTHER_CARD)]),
    )
    await Promise.all([creditPartners(shop), creditPartners(shop), creditPartners(shop)])
    const outcomes = await Promise.all(paid.map((id) => credited(id)))
    expect(outcomes).toEqual(paid.map((_, i) => i % 2 === 1))
    expect(await partnershipOf(shop, partner)).toMatchObject({ pendingTransactions: 4 })
  })

  test('of a card that the partner pays with while the earning is held', async () => {
    const partner = await aCustomer(shop)
    const second = await aReferred(shop, partner)
    const [same, other] = [await buys(second, CARD), await buys(second, OTHER_CARD)]
    expect([await credited(same), await credited(other)]).toEqual([true, true])
    await buys(partner, CARD)
    await Promise.all([endHolds(shop, partner.id), endHolds(shop, partner.id), matureEarnings(shop)])
    await until(async () => (await earningOf(shop, other))?.matured_at)
    expect(await earningOf(shop, same)).toMatchObject({ is_own_card: true, is_refunded: true })
    const { amount_minor = 0 } = (await earningOf(shop, other)) ?? {}
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: amount_minor / 100 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ pendingTransactions: 1 })
    const path = '/api/v1/partnership/statement'
    const { entries } = (await shop.call('GET', path, { token: partner.token })).body
    expect(entries.filter(({ kind }: { kind: string }) => kind === 'reversed')).toMatchObject([
      { from: 'pending', to: 'shop', earning: { isOwnCard: true } },
    ])
    // A refund that comes later finds nothing to take.
    await refundAtGateway(shop, same)
    await until(async () => (await paymentRow(shop, same)).refunded_minor > 0)
    expect(await balanceOf(shop, partner)).toMatchObject({ available: amount_minor / 100 })
  })

  test('of an account that was deleted before the partner paid with its card', async () => {
    const partner = await aCustomer(shop)
    const second = await aReferred(shop, partner)
    const paymentId = await buys(second, CARD)
    expect(await credited(paymentId)).toBe(true)
    expect((await eraseAccount(shop, second, { password: second.password })).status).toBe(200)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      customer_id: null,
      card_holder: null,
      network_hash: null,
    })
    await buys(partner, CARD)
    await endHolds(shop, partner.id)
    expect(await earningOf(shop, paymentId)).toMatchObject({ is_own_card: true })
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: 0 })
  })

  test('of a part of it, where the rest had been refunded before', async () => {
    const partner = await aCustomer(shop)
    const paymentId = await buys(await aReferred(shop, partner), CARD)
    expect(await credited(paymentId)).toBe(true)
    await refundAtGateway(shop, paymentId, { amount: 1000, currency: 'EUR' })
    await until(async () => (await earningOf(shop, paymentId))?.reversed_minor)
    await buys(partner, CARD)
    await endHolds(shop, partner.id)
    expect(await earningOf(shop, paymentId)).toMatchObject({ is_own_card: true })
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: 0 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ pendingTransactions: 0 })
  })
})

test('what is available when the partner first pays with that card stays theirs', async () => {
  const partner = await aCustomer(shop)
  const paymentId = await buys(await aReferred(shop, partner), CARD)
  expect(await credited(paymentId)).toBe(true)
  await endHolds(shop, partner.id)
  await buys(partner, CARD)
  await matureEarnings(shop)
  expect(await earningOf(shop, paymentId)).toMatchObject({ is_own_card: false, reversed_minor: 0 })
})

test('a promocode takes off what it says, whichever card pays, and counts as used where its uses are', async () => {
  const partner = await aPartner(shop)
  await buys(partner, CARD)
  await setStanding(shop, partner, { promocode_limit: 2 })
  const choice = { promocode: partner.promocode, days: 100 }
  const discounted = async (pan: string) => {
    const buyer = await aCustomer(shop)
    const order = await anOrder(shop, buyer, choice)
    expect(order.total).toBe(90)
    return startPayment(shop, buyer, order, { pan })
  }
  const own = await discounted(CARD)
  await reached(shop, own, 'Success')
  expect(await credited(own)).toBe(false)
  expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 0, transactions: 0 })
  const other = await discounted(OTHER_CARD)
  await reached(shop, other, 'Success')
  expect(await credited(other)).toBe(true)
  const late = await aCustomer(shop)
  await expect(anOrder(shop, late, choice)).rejects.toThrow('has reached its limit')
})

test('a use of a limited promocode is not given back when its earning turns out to be of the partner’s own card', async () => {
  const partner = await aPartner(shop, { promocode_limit: 1 })
  const choice = { promocode: partner.promocode, days: 100 }
  const buyer = await aCustomer(shop)
  const paymentId = await buys(buyer, CARD, choice)
  expect(await credited(paymentId)).toBe(true)
  await buys(partner, CARD)
  await endHolds(shop, partner.id)
  await until(async () => (await earningOf(shop, paymentId))?.is_own_card)
  expect(await why(paymentId)).toBe('own-card')
  const late = await aCustomer(shop)
  await expect(anOrder(shop, late, choice)).rejects.toThrow('has reached its limit')
  expect(await countUncredited(shop.db, partner.id)).toEqual({ ownCard: 1, smallSpend: 0 })
})

test('a card that is typed at the gateway is the partner’s own where mask and holder are', async () => {
  const hosted = await startTestShop({ env: { CARD_FORM: 'hosted' } })
  const partner = await aCustomer(hosted)
  await buyOnPage(hosted, partner, { pan: CARD, card_holder: 'ADA LOVELACE' })
  const second = await aReferred(hosted, partner)
  const same = await buyOnPage(hosted, second, { pan: CARD, card_holder: 'Ada Lovelace' })
  const namesake = await buyOnPage(hosted, second, { pan: OTHER_CARD, card_holder: 'ADA LOVELACE' })
  const another = await buyOnPage(hosted, second, { pan: CARD, card_holder: 'GRACE HOPPER' })
  expect((await paymentRow(hosted, same)).card_hash).toBeNull()
  const outcomes = [
    await credited(same, hosted),
    await credited(namesake, hosted),
    await credited(another, hosted),
  ]
  expect(outcomes).toEqual([false, true, true])
  expect(await checkBooks(hosted)).toEqual([])
})

describe('the smallest spend', () => {
  test('of a shop that says nothing is a day of the calculator’s, so that one purchase is level 2', async () => {
    const partner = await aPartner(shop)
    const buyer = await aCustomer(shop)
    const paymentId = await buys(buyer, CARD, { days: 1, promocode: partner.promocode })
    expect((await paymentRow(shop, paymentId)).amount_minor).toBe(90)
    expect(await credited(paymentId)).toBe(true)
    await settle(shop, partner.id)
    expect(await partnershipOf(shop, partner)).toMatchObject({ level: 2, minimumSpend: 1 })
  })

  test('keeps what costs less from earning and from the level, in each currency', async () => {
    const strict = await startTestShop({ env: { PARTNER_MINIMUM_SPEND: '5.00' } })
    const partner = await aPartner(strict)
    const buyer = await aReferred(strict, partner)
    const outcomes = []
    for (const [days, currency] of [
      [4, 'GBP'],
      [4, 'EUR'],
      [5, 'GBP'],
    ] as const) {
      const paymentId = await buys(buyer, CARD, { days, currency }, strict)
      outcomes.push([await credited(paymentId, strict), await why(paymentId, strict)])
    }
    // The promocode leaves less than that to pay, and counts all the same: the price is what is compared.
    const byCode = await buys(buyer, CARD, { days: 5, promocode: partner.promocode }, strict)
    outcomes.push([await credited(byCode, strict), await why(byCode, strict)])
    expect(outcomes).toEqual([
      [false, 'small-spend'],
      [false, 'small-spend'],
      [true, null],
      [true, null],
    ])
    expect(await partnershipOf(strict, partner)).toMatchObject({ pendingTransactions: 2, minimumSpend: 5 })
    expect(await checkBooks(strict)).toEqual([])
  })
})

describe('the hash of a card', () => {
  test('is the same in every account and process, and another for another number with the same mask', async () => {
    const second = await openSecondFront(shop)
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const hashOf = async (on: Pick<TestShop, 'call'>, buyer: TestCustomer, pan: string) => {
      const { status, text, body } = await pay(on, buyer, await anOrder(shop, buyer), { pan })
      expect(status, text).toBe(200)
      const { card_hash, pan_masked } = await paymentRow(shop, body.paymentId)
      return [card_hash?.toString('hex'), pan_masked]
    }
    const [hash, mask] = await hashOf(shop, ada, '4000000000000077')
    expect(await hashOf(second, eve, '4000 0000 0000 0077')).toEqual([hash, mask])
    const [otherHash, otherMask] = await hashOf(shop, eve, '4000009999990077')
    expect(otherMask).toBe(mask)
    expect(otherHash).not.toBe(hash)
  })

  test('goes with the account, and the network’s with it', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await buys(customer, CARD)
    const row = await paymentRow(shop, paymentId)
    expect(row.card_hash).toBeInstanceOf(Buffer)
    expect(row.network_hash).toBeInstanceOf(Buffer)
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ card_hash: null, network_hash: null })
  })
})
