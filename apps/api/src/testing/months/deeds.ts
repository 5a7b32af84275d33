import { toMajor } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import { until } from '@hedgerow/testing/until'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { cancel, letDaysPass } from '#testing/cancellations.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { DISPUTES, disputeSome } from '#testing/months/disputes.ts'
import { drawChoice, drawCurrency } from '#testing/months/draw-choice.ts'
import { giveBack, isOver } from '#testing/months/give-back.ts'
import { drawTime, drawTimeWithin } from '#testing/months/times.ts'
import type { Deed, World } from '#testing/months/world.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, aReferred, balanceOf, earningOf, endHolds } from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, startBy } from '#testing/payment-methods.ts'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  type CardForm,
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

/** None, a few parts, or a few parts and then the rest. */
const giveBackSome = async (world: World, chance: Chance, paymentId: string): Promise<void> => {
  const { charged_minor } = await paymentRow(world.shop, paymentId)
  const parts = chance.pick([0, 0, 1, 2, 3])
  for (let part = 0; part < parts; part++)
    await giveBack(world, paymentId, 1 + chance.below(Math.floor(charged_minor / 4)))
  if (chance.is(0.25)) await giveBack(world, paymentId)
}

const buyByCard: Deed = async (world, chance) => {
  const { paymentId, customer } = await aPurchase(world.shop, drawChoice(chance), world.place(chance))
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
    ...world.place(chance),
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
    world.place(chance),
  )
  await reached(shop, paymentId, 'awaiting customer action', 'awaiting redirect result')
  await answerElsewhere(shop, paymentId)
  await reached(shop, paymentId, 'Success')
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
}

/** To a place that is named, of which nothing, a part or all goes back. */
export const buyPlanAs =
  (period: string, place: CardForm, back: 'nothing' | 'a part' | 'all'): Deed =>
  async (world, chance) => {
    const paymentId = await startSale(world.shop, await aCustomer(world.shop), planFor(period), place)
    await reached(world.shop, paymentId, 'Success')
    if (back !== 'nothing') await giveBack(world, paymentId, back === 'a part' ? 111 : undefined)
    world.date(paymentId, chance)
  }

const buyPlan: Deed = async (world, chance) => {
  const customer = await aCustomer(world.shop)
  const plan = planFor(chance.pick(['1 week', '31 days', '1 year', 'Ethernity']))
  const paymentId = await startSale(world.shop, customer, plan, world.place(chance))
  await reached(world.shop, paymentId, 'Success')
  await giveBackSome(world, chance, paymentId)
  world.date(paymentId, chance)
}

const extend: Deed = async (world, chance) => {
  const choice = { ...drawChoice(chance), connections: 3 }
  const first = await aPurchase(world.shop, choice, world.place(chance))
  const renew = (await connectionsOf(world.shop, first.paymentId)).map(({ id }) => id)
  const second = await aPurchase(
    world.shop,
    { ...choice, days: 10, renew },
    world.place(chance),
    first.customer,
  )
  await giveBackSome(world, chance, second.paymentId)
  world.date(first.paymentId, chance)
  world.date(second.paymentId, chance)
}

export const cancelPurchase: Deed = async (world, chance) => {
  const { shop } = world
  const { customer, paymentId } = await aPurchase(
    shop,
    { ...drawChoice(chance), days: 30 },
    world.place(chance),
  )
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
  const first = await startPayment(shop, customer, order, { pan: CARDS.challenged, ...world.place(chance) })
  await challengeOf(shop, first)
  const second = await startPayment(shop, customer, order, { instead: first, ...world.place(chance) })
  await reached(shop, second, 'Success')
  await answerChallenge(shop, first)
  await reached(shop, first, 'Success')
  await until(async () => (await refundsOf(shop, first)).length > 0)
  await isOver(world, first)
  world.date(first, chance)
  world.date(second, chance)
}

const decline: Deed = async ({ shop, place }, chance) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer, drawChoice(chance))
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.declined, ...place(chance) })
  await reached(shop, paymentId, 'Decline')
}

const useCode: Deed = async (world, chance) => {
  const { promocode } = await aPartner(world.shop)
  for (let count = 0; count < 2; count++) {
    const { paymentId } = await aPurchase(
      world.shop,
      { ...drawChoice(chance), promocode },
      world.place(chance),
    )
    await giveBackSome(world, chance, paymentId)
    world.date(paymentId, chance)
  }
}

/** A partner loses again what they were credited with. */
export const takeBackEarning: Deed = async (world, chance) => {
  const { shop } = world
  const buyer = await aReferred(shop, await aPartner(shop))
  const { paymentId } = await aPurchase(shop, drawChoice(chance), world.place(chance), buyer)
  await until(async () => {
    await world.credit()
    return earningOf(shop, paymentId)
  })
  await giveBack(world, paymentId)
  world.date(paymentId, chance)
}

/** Enough for the least withdrawal, at the share of the first levels. */
const LARGE = { days: 365, connections: 13 }
const PURCHASES = 7

/** Such as a file in their currency can pay. */
const IBANS = { EUR: 'DE89370400440532013000', GBP: 'GB33BUKB20201555555555' } as const

type Ending = 'paid' | 'refused' | undefined

/** A partner whose earnings are available, and who asks for some of them. */
const withdraw = async (world: World, chance: Chance, ending: Ending): Promise<string> => {
  const { shop } = world
  const [partner, currency] = [await aPartner(shop), drawCurrency(chance)]
  const buyer: TestCustomer = await aReferred(shop, partner)
  for (let count = 0; count < PURCHASES; count++) {
    const { paymentId } = await aPurchase(shop, { ...LARGE, currency }, world.place(chance), buyer)
    world.date(paymentId, chance)
  }
  await world.credit()
  await endHolds(shop, partner.id)
  const { available } = await balanceOf(shop, partner, currency)
  const most = Math.round(available * 100)
  if (most < MINIMUM_WITHDRAWAL_MINOR) throw new Error(`only ${most} of ${currency} to withdraw`)
  const amount = toMajor(MINIMUM_WITHDRAWAL_MINOR + chance.below(most - MINIMUM_WITHDRAWAL_MINOR + 1))
  const body = { currency, amount, accountHolder: 'Ada Lovelace', iban: IBANS[currency] }
  const reply = await requestPayout(shop, partner, body)
  if (reply.status !== 201) throw new Error(`no withdrawal: ${reply.text}`)
  const id: string = reply.body._id
  if (ending === 'paid') await resolveWithdrawal(shop, id, { status: 'paid', reference: 'BACS 1' })
  if (ending === 'refused')
    await resolveWithdrawal(shop, id, { status: 'refused', reason: 'No such account.' })
  return id
}

/** Within the month: something is paid out in each, by hand and by a file. */
const payOut: Deed = async (world, chance) => {
  const id = await withdraw(world, chance, 'paid')
  world.dateWithdrawal(id, () => drawTimeWithin(chance, world.month))
}

const askForFile: Deed = async (world, chance) =>
  world.payByFile(await withdraw(world, chance, undefined), () => drawTimeWithin(chance, world.month))

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
  [3, disputeSome],
]

/** Each happens once in every month, however few others are drawn. */
export const CERTAIN: readonly Deed[] = [
  buyByCard,
  buyByBlik,
  payTwice,
  decline,
  payOut,
  askForFile,
  ...DISPUTES,
]

/** Something else comes than was asked for. The gateway does so to everyone at that time: it is done while no one buys. */
export const payOtherSum: Deed = async (world, chance) => {
  const { shop } = world
  await switchFaults(shop, { payOtherSums: 1, seed: 'hedge' })
  try {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(
      shop,
      customer,
      await anOrder(shop, customer, drawChoice(chance)),
      world.place(chance),
    )
    await until(async () => (await refundsOf(shop, paymentId)).length > 0)
    await isOver(world, paymentId)
    world.date(paymentId, chance)
  } finally {
    await switchFaults(shop, { payOtherSums: 0 })
  }
}
