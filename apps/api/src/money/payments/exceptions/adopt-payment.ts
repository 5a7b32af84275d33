import { randomUUID } from 'node:crypto'
import {
  BLIK_CURRENCY,
  type ChargedCurrency,
  convertMinor,
  formatCharged,
  RATE_SCALE,
} from '@hedgerow/domain/exchange'
import { isPaymentId } from '@hedgerow/domain/ids'
import { CURRENCY_CODES, type CurrencyCode, formatMoney } from '@hedgerow/domain/money'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { PARTIALLY_PAID } from '@hedgerow/domain/payment-status'
import { PLAN_CURRENCY, periodDays } from '@hedgerow/domain/plans'
import { type Choice, totalMinor } from '@hedgerow/domain/pricing'
import { findPlan } from '#catalogue/plans/plans.service.ts'
import { type Carried, type GatewayDependencies, gatewayOf, refOf } from '#money/gateway/gateway.ts'
import { detailsOf, type PaymentUpdate } from '#money/gateway/payment-update.ts'
import { deleteUnknown, findCarrier } from '#money/payments/exceptions/unknown-payments.queries.ts'
import { noteUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { findPayment, insertAdopted, insertUnknown } from '#money/payments/payments.queries.ts'
import { MOST_MINOR } from '#money/payments/updates/other-sum.ts'
import { listRatesOf } from '#money/rates/rates.queries.ts'
import { recordRefund } from '#money/refunds/refunds.service.ts'
import type { Trx } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { readPrices } from '#platform/running-settings/running-settings.ts'
import { sumsFor } from '#sales/orders/order-sums.ts'
import {
  findLivePayment,
  insertChoice,
  insertEmptyOrder,
  insertPlan,
  lockOrderOf,
} from '#sales/orders/orders.service.ts'

/** What the gateway has signed of a payment that succeeded. */
export type PaidWord = {
  carrier: Omit<Carried, 'id'>
  update: PaymentUpdate
  method: PaymentMethod
  amountMinor: number
  currency: ChargedCurrency
  /** What of it is not given back yet. */
  leftMinor: number
}

type Refused = { kind: 'refused'; why: string }
export type Asked = { kind: 'paid'; word: PaidWord } | Refused | { kind: 'silent' }

const refuse = (why: string): Refused => ({ kind: 'refused', why })

const isCharged = (currency: string | undefined): currency is ChargedCurrency =>
  currency === BLIK_CURRENCY || CURRENCY_CODES.some((code) => code === currency)

const judgeWord = (update: PaymentUpdate, carrier: PaidWord['carrier']): Asked => {
  const { status, gateStatus, paid, method, refunds, isGivenBack } = update
  // What has come counts, and not what was asked for: that is not known here.
  const amountMinor = paid?.amount ?? update.amountMinor
  const currency = paid?.currency ?? update.currency
  if (status !== 'Success' && !(gateStatus === PARTIALLY_PAID && paid))
    return refuse(`the gateway does not say that it is paid: its status there is '${status}'`)
  if (amountMinor === undefined || amountMinor < 1 || amountMinor > MOST_MINOR)
    return refuse('the gateway names no amount that the shop can record')
  if (!isCharged(currency))
    return refuse(`it was paid in ${currency ?? 'no currency'}, which the shop does not take`)
  if (!method) return refuse('it was paid by a method that the shop does not offer')
  const given = refunds.filter((one) => one.status === 'success')
  const leftMinor = amountMinor - given.reduce((sum, one) => sum + (one.amountMinor ?? 0), 0)
  if (isGivenBack || leftMinor <= 0) return refuse('the gateway has already refunded all of it')
  return { kind: 'paid', word: { carrier, update, method, amountMinor, currency, leftMinor } }
}

type AskDeps = With<'db' | 'log'> & GatewayDependencies

/** Asks the gateway what a payment is. Only what it signs counts. */
export const askOfPayment = async ({ db, log, gateways }: AskDeps, id: string): Promise<Asked> => {
  if (!isPaymentId(id)) return refuse('that is not the id of a payment')
  // One that was not told of is looked for at the Gate, by the same id.
  const carrier = (await findCarrier(db, id)) ?? ({ gateway: 'gate', gateway_ref: null } as const)
  const answer = await gatewayOf(gateways, carrier.gateway).status(refOf({ id, ...carrier }))
  if (answer.kind === 'unknown') return { kind: 'silent' }
  if (answer.kind === 'unseen') return refuse('the gateway does not know it')
  const update = answer.kind === 'found' ? answer.update : undefined
  if (update?.paymentId !== id) return refuse('the gateway’s answer cannot be read')
  await noteUnknown({ db, log }, update, carrier)
  return judgeWord(update, carrier)
}

/** What was bought: an order that is there, or the facts of a new one. */
export type Purchase =
  | { kind: 'order'; orderId: string }
  | { kind: 'plan'; planId: string }
  /** The currency of the price, where the payment's is another. */
  | { kind: 'choice'; choice: Choice; currency: CurrencyCode | undefined }

export type Adopted =
  | { kind: 'adopted'; orderId: string }
  /** It was adopted before, in the same way. */
  | { kind: 'known'; orderId: string }
  | Refused

/** Undoes what the transaction has done. */
class Undone extends Error {
  readonly outcome: Adopted
  constructor(outcome: Adopted) {
    super('undone')
    this.outcome = outcome
  }
}

const undo = (why: string) => new Undone(refuse(why))

/** Whether an operator may say what became of so much; throws where not. Returns how it is counted. */
export type ApproveAdopted = (
  trx: Trx,
  word: PaidWord,
) => Promise<(trx: Trx, refundId?: string) => Promise<unknown>>

const inTransaction = async ({ db }: With<'db'>, work: (trx: Trx) => Promise<string>): Promise<Adopted> => {
  try {
    return { kind: 'adopted', orderId: await db.transaction().execute(work) }
  } catch (error) {
    if (error instanceof Undone) return error.outcome
    throw error
  }
}

/** At no rate, where nothing is converted; undefined where the price does not come to what was paid. */
const rateFor = async (
  trx: Trx,
  { amountMinor, currency }: PaidWord,
  price: { total_minor: number; currency: CurrencyCode },
): Promise<{ rate_micro: number | null } | undefined> => {
  if (currency === price.currency) return amountMinor === price.total_minor ? { rate_micro: null } : undefined
  if (currency !== BLIK_CURRENCY) return undefined
  const rates = await listRatesOf(trx, price.currency)
  return rates.find(({ rate_micro }) => convertMinor(price.total_minor, rate_micro) === amountMinor)
}

const newOrder = async (
  trx: Trx,
  customerId: string,
  purchase: Exclude<Purchase, { kind: 'order' }>,
  { currency }: PaidWord,
): Promise<string> => {
  if (purchase.kind === 'plan') {
    const plan = await findPlan(trx, purchase.planId)
    if (!plan) throw undo('there is no such plan')
    const toOrder = { ...plan, days: periodDays(plan.period), currency: PLAN_CURRENCY }
    return insertPlan(trx, customerId, toOrder, sumsFor(plan.price_minor, undefined))
  }
  const { choice } = purchase
  const priced = currency === BLIK_CURRENCY ? purchase.currency : currency
  if (!priced) throw undo('it was paid in PLN. Give the currency of the price')
  const sums = sumsFor(totalMinor(choice, await readPrices(trx)), undefined)
  return insertChoice(trx, customerId, { choice, currency: priced, sums })
}

/** Makes it an attempt to pay the order, of whose end the gateway is asked as of any other. */
const attach = async (trx: Trx, customerId: string, orderId: string, word: PaidWord): Promise<void> => {
  const order = await lockOrderOf(trx, customerId, orderId)
  if (!order) throw undo('the customer has no such order')
  if (order.status === 'Completed')
    throw undo('the order is already paid. This payment can be given back instead')
  const rate = await rateFor(trx, word, order)
  if (!rate) {
    const [paid, price] = [
      formatCharged(word.amountMinor, word.currency),
      formatMoney(order.total_minor, order.currency),
    ]
    const at = word.currency === BLIK_CURRENCY ? ', at any rate that was set' : ''
    throw undo(`${paid} was paid, but the order costs ${price}${at}`)
  }
  if (await findLivePayment(trx, orderId))
    throw undo('another payment for the order is under way. Wait until it has ended')
  const { update, method, carrier } = word
  const isNew = await insertAdopted(trx, {
    id: update.paymentId,
    ...carrier,
    orderId,
    method,
    charged_minor: word.amountMinor,
    charged_currency: word.currency,
    rate_micro: rate.rate_micro,
  })
  if (!isNew) throw new Undone({ kind: 'known', orderId })
  await deleteUnknown(trx, update.paymentId)
}

/**
 * What a payment that is here by now was adopted for: the same, or something else, which is refused. Undefined where it is
 * not here. Without a purchase: it was to be given back.
 */
export const findAdopted = async (
  { db }: With<'db'>,
  id: string,
  customerId: string | undefined,
  purchase: Purchase | undefined,
): Promise<Adopted | undefined> => {
  const known = await findPayment(db, id)
  if (!known) return undefined
  const { order_id: orderId, is_unknown, customer_id } = known
  if (!purchase)
    return is_unknown
      ? { kind: 'known', orderId }
      : refuse(`it is a payment of this shop. To refund it: refund ${id}`)
  if (is_unknown) return refuse('it was adopted to be refunded')
  const isSame = customer_id === customerId && (purchase.kind !== 'order' || purchase.orderId === orderId)
  return isSame ? { kind: 'known', orderId } : refuse(`it already belongs to the order ${orderId}`)
}

/**
 * Gives a payment that is not known here to a customer's order. Nothing is delivered by this: the gateway is asked once more
 * by the running shop, and its success goes the way of every success.
 */
export const adoptForPurchase = async (
  { db }: With<'db'>,
  word: PaidWord,
  customerId: string,
  purchase: Purchase,
  approve?: ApproveAdopted,
): Promise<Adopted> => {
  const id = word.update.paymentId
  const outcome = await inTransaction({ db }, async (trx) => {
    const count = await approve?.(trx, word)
    const orderId =
      purchase.kind === 'order' ? purchase.orderId : await newOrder(trx, customerId, purchase, word)
    await attach(trx, customerId, orderId, word)
    await count?.(trx)
    return orderId
  })
  // Of two at once the second finds the order paid, or being paid, by the first.
  return (outcome.kind !== 'adopted' && (await findAdopted({ db }, id, customerId, purchase))) || outcome
}

/** A price for the books, which want one in a currency of the shop: what the sum is worth now. */
const priceOf = async (trx: Trx, { amountMinor, currency }: PaidWord) => {
  if (currency !== BLIK_CURRENCY) return { total_minor: amountMinor, currency, rate_micro: null }
  const [rate] = await listRatesOf(trx, 'EUR')
  const rate_micro = rate?.rate_micro ?? RATE_SCALE
  const total_minor = Math.max(1, Math.round((amountMinor * RATE_SCALE) / rate_micro))
  return { total_minor, currency: 'EUR' as const, rate_micro }
}

/** Gives the whole of a payment back that is not known here, once; to the payer, who may be no customer. */
export const adoptForRefund = async (
  { db }: With<'db'>,
  word: PaidWord,
  customer: Pick<CustomerRow, 'id'> | undefined,
  approve?: ApproveAdopted,
): Promise<Adopted> => {
  const { update, method } = word
  const id = update.paymentId
  const outcome = await inTransaction({ db }, async (trx) => {
    const count = await approve?.(trx, word)
    const orderId = randomUUID()
    const { rate_micro, ...price } = await priceOf(trx, word)
    await insertEmptyOrder(trx, { id: orderId, ...price })
    const charged = { charged_minor: word.amountMinor, charged_currency: word.currency, rate_micro }
    const payment = { id, orderId, customerId: customer?.id ?? null, method, ...word.carrier, ...charged }
    const { card_holder, ...details } = detailsOf(update)
    const kept = customer && card_holder ? { ...details, card_holder } : details
    if (!(await insertUnknown(trx, payment, kept))) throw new Undone({ kind: 'known', orderId })
    const refundId = await recordRefund(trx, { id, method }, word.leftMinor, 'operator')
    await count?.(trx, refundId)
    await deleteUnknown(trx, id)
    return orderId
  })
  return (outcome.kind !== 'adopted' && (await findAdopted({ db }, id, customer?.id, undefined))) || outcome
}
