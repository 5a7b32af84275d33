import type { CurrencyCode } from '@hedgerow/domain/money'
import { toMajor } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import { until } from '@hedgerow/testing/until'
import { settleWithdrawal } from '#partnership/withdrawals.service.ts'
import { requestRefund } from '#refunds/refunds.service.ts'
import { sayOfRefund } from '#refunds/say-of-refund.ts'
import { cancel, letDaysPass } from '#testing/cancellations.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { drawTime, drawTimeWithin } from '#testing/months/times.ts'
import type { World } from '#testing/months/world.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, aReferred, balanceOf, endHolds } from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, startBy } from '#testing/payment-methods.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { refundsOf } from '#testing/refunds.ts'
import type { Chance } from '#testing/torture/chance.ts'
import { requestPayout } from '#testing/withdrawals.ts'

/** Something that happens in a month. To add a kind is to write one of these, and to name it in DEEDS. */
export type Deed = (world: World, chance: Chance) => Promise<void>

const drawCurrency = (chance: Chance): CurrencyCode => chance.pick(['EUR', 'GBP'])

const drawChoice = (chance: Chance) => ({
  days: 1 + chance.below(120),
  connections: 3 + chance.below(4),
  currency: drawCurrency(chance),
  features: { feature1: chance.is(0.5), feature3: chance.is(0.3) },
})

const sendByHand = async (shop: World['shop'], paymentId: string): Promise<void> => {
  const answer = await sayOfRefund(shop, { paymentId, verdict: 'sent' })
  if (answer.kind === 'refused') throw new Error(`a refund cannot be sent by hand: ${answer.why}`)
}

/** Until nothing of it is under way. What the gateway refuses, as the sandbox does with some sums, is sent by hand. */
const isOver = async ({ shop }: Pick<World, 'shop'>, paymentId: string): Promise<void> => {
  const refunds = await until(async () => {
    const all = await refundsOf(shop, paymentId)
    return all.every(({ status, is_by_hand }) => status !== 'Pending' || is_by_hand) && all
  })
  for (const { status, closed_at } of refunds)
    if (status === 'Pending' || (status === 'Decline' && closed_at === null))
      await sendByHand(shop, paymentId)
}

/** Gives back one part, whatever the method. */
const giveBack = async (world: World, paymentId: string, amountMinor?: number): Promise<void> => {
  const request = { paymentId, isAgain: true, ...(amountMinor ? { amountMinor } : {}) }
  const answer = await requestRefund(world.shop, request)
  if (answer.kind !== 'recorded') throw new Error(`not refunded: ${JSON.stringify(answer)}`)
  await isOver(world, paymentId)
}

/** None, a few parts, or a few parts and then the rest. */
const giveBackSome = async (world: World, chance: Chance, paymentId: string): Promise<void> => {
  const { charged_minor } = await paymentRow(world.shop, paymentId)
  const parts = chance.pick([0, 0, 1, 2, 3])
  for (let part = 0; part < parts; part++)
    await giveBack(world, paymentId, 1 + chance.below(Math.floor(charged_minor / 4)))
  if (chance.is(0.25)) await giveBack(world, paymentId)
}

const buyByCard: Deed = async (world, chance) => {
  const { paymentId, customer } = await aPurchase(world.shop, drawChoice(chance))
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
  if (chance.is(0.15)) world.leave(customer)
}

const buyAtBank: Deed = async (world, chance) => {
  const { shop } = world
  const customer = await aCustomer(shop)
  const choice = drawChoice(chance)
  const bankId = choice.currency === 'GBP' ? BANKS.noConsent : BANKS.inGermany
  const paymentId = await startBy(payByBank, shop, customer, await anOrder(shop, customer, choice), {
    bankId,
  })
  await reached(shop, paymentId, 'awaiting redirect result')
  await answerElsewhere(shop, paymentId)
  await reached(shop, paymentId, 'Success')
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
}

const buyByBlik: Deed = async (world, chance) => {
  const { shop } = world
  const customer = await aCustomer(shop)
  const paymentId = await startBy(
    payByBlik,
    shop,
    customer,
    await anOrder(shop, customer, drawChoice(chance)),
  )
  await reached(shop, paymentId, 'awaiting customer action', 'awaiting redirect result')
  await answerElsewhere(shop, paymentId)
  await reached(shop, paymentId, 'Success')
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
}

const buyPlan: Deed = async (world, chance) => {
  const customer = await aCustomer(world.shop)
  const plan = planFor(chance.pick(['1 week', '31 days', '1 year', 'Ethernity']))
  const paymentId = await startSale(world.shop, customer, plan)
  await reached(world.shop, paymentId, 'Success')
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
}

const extend: Deed = async (world, chance) => {
  const choice = { ...drawChoice(chance), connections: 3 }
  const first = await aPurchase(world.shop, choice)
  const renew = (await connectionsOf(world.shop, first.paymentId)).map(({ id }) => id)
  const second = await aPurchase(world.shop, { ...choice, days: 10, renew }, {}, first.customer)
  await giveBackSome(world, chance, second.paymentId)
  world.date(first.paymentId, chance)
  world.date(second.paymentId, chance)
}

const cancelPurchase: Deed = async (world, chance) => {
  const { shop } = world
  const { customer, paymentId } = await aPurchase(shop, { ...drawChoice(chance), days: 30 })
  await letDaysPass(shop, customer, chance.below(13))
  const reply = await cancel(shop, customer, paymentId)
  if (reply.status !== 200) throw new Error(`not cancelled: ${reply.text}`)
  await isOver(world, paymentId)
  world.date(paymentId, chance)
}

const payTwice: Deed = async (world, chance) => {
  const { shop } = world
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, drawChoice(chance))
  const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, first)
  const second = await startPayment(shop, customer, order, { instead: first })
  await reached(shop, second, 'Success')
  await answerChallenge(shop, first)
  await reached(shop, first, 'Success')
  await until(async () => (await refundsOf(shop, first)).length > 0)
  await isOver(world, first)
  world.date(first, chance)
  world.date(second, chance)
}

const decline: Deed = async ({ shop }, chance) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, drawChoice(chance))
  await reached(shop, await startPayment(shop, customer, order, { pan: CARDS.declined }), 'Decline')
}

const useCode: Deed = async (world, chance) => {
  const { promocode } = await aPartner(world.shop)
  for (let count = 0; count < 2; count++) {
    const { paymentId } = await aPurchase(world.shop, { ...drawChoice(chance), promocode })
    await giveBackSome(world, chance, paymentId)
    world.date(paymentId, chance)
  }
}

/** Enough for the least withdrawal, at the share of the first levels. */
const LARGE = { days: 365, connections: 13 }
const PURCHASES = 7

type Ending = 'paid' | 'refused' | undefined

/** A partner whose earnings are available, and who asks for some of them. */
const withdraw = async (world: World, chance: Chance, ending: Ending): Promise<string> => {
  const { shop } = world
  const [partner, currency] = [await aPartner(shop), drawCurrency(chance)]
  const buyer: TestCustomer = await aReferred(shop, partner)
  for (let count = 0; count < PURCHASES; count++) {
    const { paymentId } = await aPurchase(shop, { ...LARGE, currency }, {}, buyer)
    world.date(paymentId, chance)
  }
  await world.credit()
  await endHolds(shop, partner.id)
  const { available } = await balanceOf(shop, partner, currency)
  const most = Math.round(available * 100)
  if (most < MINIMUM_WITHDRAWAL_MINOR) throw new Error(`only ${most} of ${currency} to withdraw`)
  const amount = toMajor(MINIMUM_WITHDRAWAL_MINOR + chance.below(most - MINIMUM_WITHDRAWAL_MINOR + 1))
  const body = { currency, amount, accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' }
  const reply = await requestPayout(shop, partner, body)
  if (reply.status !== 201) throw new Error(`no withdrawal: ${reply.text}`)
  const id: string = reply.body._id
  if (ending === 'paid') await settleWithdrawal(shop, id, { status: 'paid', reference: 'BACS 1' })
  if (ending === 'refused')
    await settleWithdrawal(shop, id, { status: 'refused', reason: 'No such account.' })
  return id
}

/** Within the month: something is paid out in each. */
const payOut: Deed = async (world, chance) => {
  const id = await withdraw(world, chance, 'paid')
  world.dateWithdrawal(id, () => drawTimeWithin(chance, world.month))
}

const askForMoney: Deed = async (world, chance) => {
  const id = await withdraw(world, chance, chance.pick(['paid', 'refused', undefined] as const))
  world.dateWithdrawal(id, () => drawTime(chance, world.month))
}

/** What can happen any number of times, and beside anything else; with how often each is drawn. */
export const DEEDS: readonly (readonly [often: number, deed: Deed])[] = [
  [8, buyByCard],
  [3, buyAtBank],
  [4, buyByBlik],
  [2, buyPlan],
  [2, extend],
  [2, cancelPurchase],
  [1, payTwice],
  [1, decline],
  [2, useCode],
  [1, askForMoney],
]

/** Each happens once in every month, however few others are drawn. */
export const CERTAIN: readonly Deed[] = [buyByCard, buyByBlik, payTwice, decline, payOut]

/** Something else comes than was asked for. The gateway does so to everybody at that time: it is done while nobody buys. */
export const payOtherSum: Deed = async (world, chance) => {
  const { shop } = world
  await switchFaults(shop, { payOtherSums: 1, seed: 'hedge' })
  try {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer, drawChoice(chance)))
    await until(async () => (await refundsOf(shop, paymentId)).length > 0)
    await isOver(world, paymentId)
    world.date(paymentId, chance)
  } finally {
    await switchFaults(shop, { payOtherSums: 0 })
  }
}
