import { passesLuhn } from '@hedgerow/domain/cards'
import { convertMinor } from '@hedgerow/domain/exchange'
import { CURRENCY_CODES, type CurrencyCode } from '@hedgerow/domain/money'
import type { Plan } from '@hedgerow/domain/plans'
import { FEATURES, fromWireFeatures, totalMinor, type WireFeatures } from '@hedgerow/domain/pricing'
import type { Choice } from '#testing/orders.ts'
import { CARDS } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { STRIPE_CARDS } from '#testing/stripe.ts'
import { type Chance, chanceOf } from '#testing/torture/chance.ts'
import { PLACES } from '#testing/torture/places.ts'

/** How an attempt is paid, and what the customer answers where a question comes. */
export type PlannedPayment = {
  method: 'card' | 'open_banking' | 'blik' | 'crypto'
  pan?: string
  /** Where Stripe carries cards: what is typed on its page, one after the other, or a debit that comes later. */
  typed?: readonly string[]
  debit?: 'arrives' | 'fails'
  /** The buttons that are pressed at the invoice of a BTCPay Server. */
  acts?: readonly string[]
  bankId?: string
  code?: string
  isApproved: boolean
}

/** Stays: until it has ended. Leaves: for good. Comes back: pays another way instead. Pays both: and the left one too. */
export type Patience = 'stays' | 'leaves' | 'comes back' | 'pays both'

export type PlannedAttempt = {
  way: PlannedPayment
  /** The same order in a second tab at the same moment. */
  otherTab: PlannedPayment | undefined
  /** How often the button is pressed at once, and how often the bank's answer is sent. */
  presses: number
  answers: number
  patience: Patience
}

export type PlannedCheckout = {
  customer: number
  choice: Choice
  /** The first, and what is tried when one did not succeed. */
  attempts: PlannedAttempt[]
  refund: 'none' | 'whole' | 'part' | 'part and rest'
  /** How often the customer presses the button that cancels what they bought, all at once. */
  cancels: number
  /** How often an operator corrects the invoice, one correction after the other. */
  corrections: number
  /** How many of the connections that they have they would extend, as far as the choice has their options. */
  renews: number
  /** Bought in place of the choice, by card. */
  plan: Plan | undefined
  /** Where new connections are to be. */
  place: PlannedPlace | undefined
}

/** Which of the places, and whether the customer chose it, or it is the nearest. */
export type PlannedPlace = { which: number; isChosen: boolean }

/** The sandbox's own card whose bank asks twice. */
const ASKED_TWICE = '4000001111000048'
const BANKS: Readonly<Record<CurrencyCode, readonly string[]>> = {
  EUR: ['5101', '5103', '5104'],
  GBP: ['3541', '3701', '3731', '3851', '3871'],
}

/** The sandbox takes any number whose check digit is right. A partner earns nothing by a card of their own. */
const ownCardOf = (customer: number): string => {
  const digits = `4000002${String(customer).padStart(8, '0')}`
  return Array.from({ length: 10 }, (_, check) => `${digits}${check}`).find(passesLuhn) as string
}

const cardOf = (chance: Chance, customer: number): string => {
  const draw = chance.draw()
  if (draw < 0.36) return ownCardOf(customer)
  if (draw < 0.52) return CARDS.declined
  if (draw < 0.76) return CARDS.challenged
  return draw < 0.88 ? CARDS.challengedThenDeclined : ASKED_TWICE
}

/** The same card, as far as Stripe publishes one that does the same. */
const atStripe = (pan: string, customer: number): Pick<PlannedPayment, 'typed' | 'debit'> => {
  const { paid, declined, refundsLater, refundsFail, challenged } = STRIPE_CARDS
  switch (pan) {
    case CARDS.declined:
      return { typed: [declined] }
    case CARDS.challenged:
      return { typed: [challenged] }
    case CARDS.challengedThenDeclined:
      return { typed: [declined, paid] }
    case ASKED_TWICE:
      return { debit: customer % 4 === 0 ? 'fails' : 'arrives' }
    default:
      return { typed: [[refundsLater, refundsFail, paid][customer % 3] as string] }
  }
}

const cardWay = (pan: string, customer: number, isApproved: boolean): PlannedPayment => ({
  ...{ method: 'card', pan, isApproved },
  ...atStripe(pan, customer),
})

const wayOf = (chance: Chance, currency: CurrencyCode, customer: number): PlannedPayment => {
  const isApproved = chance.is(0.85)
  const draw = chance.draw()
  if (draw < 0.62) return cardWay(cardOf(chance, customer), customer, isApproved)
  if (draw < 0.82) return { method: 'open_banking', bankId: chance.pick(BANKS[currency]), isApproved }
  return { method: 'blik', code: chance.is(0.3) ? '111111' : '123456', isApproved }
}

/** What customers, wallets and the network do to an invoice. */
const ACTS: readonly (readonly string[])[] = [
  ['lightning'],
  ['full', 'confirm'],
  ['full'],
  ['part', 'full', 'confirm'],
  ['part', 'expire', 'confirm'],
  ['over', 'confirm'],
  ['full', 'replace', 'lightning'],
  ['full', 'replace', 'expire'],
  ['full', 'stuck'],
  ['late', 'confirm'],
  ['late', 'replace'],
  ['expire', 'part', 'confirm'],
]

/** Drawn by itself, as plan and place are. */
const withCrypto = (seed: number, checkout: number, attempts: PlannedAttempt[]): PlannedAttempt[] => {
  const chance = chanceOf(seed, `crypto ${checkout}`)
  const inCrypto = (way: PlannedPayment): PlannedPayment =>
    chance.is(0.2) ? { method: 'crypto', acts: chance.pick(ACTS), isApproved: true } : way
  return attempts.map(({ way, otherTab, ...rest }) => ({
    ...rest,
    way: inCrypto(way),
    otherTab: otherTab && inCrypto(otherTab),
  }))
}

const patienceOf = (chance: Chance): Patience => {
  const draw = chance.draw()
  if (draw < 0.66) return 'stays'
  if (draw < 0.74) return 'leaves'
  return draw < 0.88 ? 'comes back' : 'pays both'
}

const attemptOf = (chance: Chance, currency: CurrencyCode, customer: number): PlannedAttempt => ({
  way: wayOf(chance, currency, customer),
  otherTab: chance.is(0.12) ? wayOf(chance, currency, customer) : undefined,
  presses: chance.is(0.25) ? 2 : 1,
  answers: chance.is(0.3) ? 3 : 1,
  patience: patienceOf(chance),
})

/** What is given back when only a part is. */
export const PART_MINOR = 150

/** What the demonstration's rates make of a price. */
const RATES: Readonly<Record<CurrencyCode, number>> = { EUR: 4_250_000, GBP: 5_030_000 }
/** The sandbox has no money to give back sums that end in 13: then a debt is left, which has to be listed. */
const isRefundable = (minor: number) => minor % 100 !== 13 && (minor - PART_MINOR) % 100 !== 13

/** The share of such sums that are bought all the same. */
const UNREFUNDABLE = 0.3

const choiceOf = (chance: Chance): Choice => {
  for (;;) {
    const currency = chance.pick(CURRENCY_CODES)
    const features = Object.fromEntries(FEATURES.map(({ wire }) => [wire, chance.is(0.3)])) as WireFeatures
    const choice = { days: 1 + chance.below(60), connections: 3 + chance.below(4), features, currency }
    const minor = totalMinor({ ...choice, features: fromWireFeatures(features) })
    const isRefunded = isRefundable(minor) && isRefundable(convertMinor(minor, RATES[currency]))
    if (isRefunded || chance.is(UNREFUNDABLE)) return choice
  }
}

const refundOf = (chance: Chance): PlannedCheckout['refund'] => {
  const draw = chance.draw()
  if (draw < 0.88) return 'none'
  if (draw < 0.93) return 'whole'
  return draw < 0.97 ? 'part' : 'part and rest'
}

/** Drawn by itself, as plan and place are. */
const correctionsOf = (seed: number, number: number): number =>
  chanceOf(seed, `corrections ${number}`).pick([0, 0, 0, 0, 0, 0, 0, 0, 1, 2])

const PLANS = [planFor('1 week'), planFor('31 days')]

/** Drawn by themselves, so that a seed goes on meaning what it meant. */
const planAndPlaceOf = (seed: number, number: number) => {
  const chance = chanceOf(seed, `plan and place ${number}`)
  const plan = chance.is(0.4) ? chance.pick(PLANS) : undefined
  const hasPlace = chance.is(0.6)
  const place = { which: chance.below(PLACES), isChosen: chance.is(0.6) }
  const renews = chance.is(0.7) ? 1 + chance.below(plan?.connections ?? 1) : 0
  return { place: hasPlace ? place : undefined, plan, ...(plan ? { renews } : {}) }
}

/** What the customer of one checkout means to do. */
export const planCheckout = (seed: number, number: number, customers: number): PlannedCheckout => {
  const chance = chanceOf(seed, `checkout ${number}`)
  const choice = choiceOf(chance)
  const customer = number % customers
  const attempts = [0, 1, 2].map(() => attemptOf(chance, choice.currency, customer))
  const refund = refundOf(chance)
  const cancels = chance.is(0.1) ? 1 + chance.below(3) : 0
  const renews = chance.is(0.4) ? 1 + chance.below(choice.connections) : 0
  const planned = { customer, choice, refund, cancels, renews }
  const corrections = correctionsOf(seed, number)
  const planAndPlace = planAndPlaceOf(seed, number)
  // Plans are bought by card.
  const ways = planAndPlace.plan ? attempts : withCrypto(seed, number, attempts)
  return { ...planned, attempts: ways, corrections, ...planAndPlace }
}
