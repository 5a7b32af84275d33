import { randomUUID } from 'node:crypto'
import type { OrderData } from '@hedgerow/contract/account-data'
import type { Order } from '@hedgerow/contract/orders'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { type CurrencyCode, formatMoney, toMajor, toMinor } from '@hedgerow/domain/money'
import { ORDER_LIFETIME_HOURS } from '@hedgerow/domain/order-status'
import { type Choice, NO_FEATURES, toMask, totalMinor } from '@hedgerow/domain/pricing'
import { validatePromocode } from '#catalogue/promocodes/promocodes.service.ts'
import {
  chooseLocation,
  type LocationChoice,
  type LocationToOrder,
  noRoomFor,
} from '#network/nodes/locations.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { LISTED_AT_ONCE, type Page } from '#platform/http/list-page.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { type OrderSums, type OrderTerms, sumsFor } from '#sales/orders/order-sums.ts'
import { presentOrder, presentOrderData } from '#sales/orders/orders.present.ts'
import {
  countOrders,
  cutOrdersFrom,
  findOrderRow,
  findPlanAttempt,
  findRecentPurchase,
  insertOrder,
  insertPlanOrder,
  listEveryOrderRow,
  lockOrderRows,
  type OrderWithPayment,
  readOrders,
} from '#sales/orders/orders.queries.ts'
import { checkRenewal } from '#sales/renewals/check-renewal.ts'

export {
  findLivePayment,
  findOrderRow,
  findPaidBy,
  insertEmptyOrder,
  lockOrder,
  lockOrderOf,
  setOrderSums,
} from '#sales/orders/orders.queries.ts'

/** Refuses a total that is not ours: a customer is never charged another sum than the one they saw. */
export const checkTotal = (shown: number, ours: number, currency: CurrencyCode): void => {
  if (toMinor(shown) === ours) return
  const message = `The total is ${formatMoney(ours, currency)}`
  throw new Problem('total-differs', { errors: [{ path: 'total', message }] })
}

/** What an order costs, what comes off that, and what is to be paid, in units. */
type OrderMade = { orderId: string; price: number; discount: number; total: number }

type CreateOrder = Choice &
  LocationChoice & {
    currency: CurrencyCode
    total: number
    renew: readonly string[]
    promocode?: string | undefined
  }

type ChoiceOrdered = {
  choice: Choice
  currency: CurrencyCode
  sums: OrderSums
  renew?: readonly string[]
  place?: LocationToOrder
  toMake?: number
}

/**
 * Writes an order of the calculator, whose sums were looked at. Returns its id. Throws 'invalid' where no location has room
 * for `toMake` connections.
 */
export const insertChoice = async (
  db: Db,
  customerId: string,
  { choice, currency, sums, renew = [], place, toMake = 0 }: ChoiceOrdered,
): Promise<string> => {
  const id = randomUUID()
  const row = {
    id,
    customer_id: customerId,
    days: choice.days,
    connections: choice.connections,
    options: toMask(choice.features),
    renews: [...renew],
    ...sums,
    ...place,
    currency,
  }
  if (!(await insertOrder(db, row, ORDER_LIFETIME_HOURS, toMake))) throw noRoomFor(toMake)
  return id
}

/** Throws 'total-differs', or 'invalid' for connections that it cannot extend, for a promocode or a location that is refused, and where there is no room. */
export const createOrder = async (
  { db, rateCounter, settings, log }: With<'db' | 'rateCounter' | 'settings' | 'log'>,
  customerId: string,
  { total, currency, renew, promocode, location, near, ...choice }: CreateOrder,
): Promise<OrderMade> => {
  const price = totalMinor(choice, settings.prices)
  const judged = promocode ? await validatePromocode({ db, rateCounter }, customerId, promocode) : undefined
  const sums = sumsFor(price, judged)
  // The calculator shows the price; what its code leaves of that is only known here.
  if (toMinor(total) !== price) checkTotal(total, sums.total_minor, currency)
  await checkRenewal(db, customerId, renew, choice.features)
  const toMake = choice.connections - renew.length
  const place = await chooseLocation({ db }, { location, near }, toMake, null, toMask(choice.features))
  const id = await insertChoice(db, customerId, { choice, currency, sums, renew, place, toMake })
  log.info({ orderId: id, totalMinor: sums.total_minor, currency }, 'an order was made')
  return {
    orderId: id,
    price: toMajor(price),
    discount: toMajor(sums.discount_minor),
    total: toMajor(sums.total_minor),
  }
}

type PlanToOrder = {
  id: string
  name: string
  period: string
  days: number | null
  connections: number
  price_minor: number
  currency: CurrencyCode
}

/**
 * No one fills in a card form so soon: a sale without an id that comes right after one that succeeded is the same press
 * again.
 */
const SAME_PRESS_S = 10

type PlanOffer = LocationChoice & {
  promocode?: string | undefined
  /** What the page showed, if it says so. */
  total?: number | undefined
  /** An attempt that the customer has left. */
  instead?: string | undefined
  /** Connections that it extends. */
  renew?: readonly string[] | undefined
  /** Names the purchase: it knows itself what it bought, and by which payment. */
  purchaseId?: string | undefined
}

/** Throws 'plan-just-bought' with the payment that the same press has made. A purchase with an id is known by that. */
const refuseSamePress = async (
  { db }: With<'db'>,
  customerId: string,
  planId: string,
  { purchaseId }: PlanOffer,
): Promise<void> => {
  const bought = purchaseId ? undefined : await findRecentPurchase(db, customerId, planId, SAME_PRESS_S)
  if (bought) throw new Problem('plan-just-bought', { paymentId: bought.id })
}

/** Throws 'invalid' where a plan may not extend these connections. */
const checkPlanRenewal = async (
  { db }: With<'db'>,
  customerId: string,
  { days, connections }: PlanToOrder,
  renew: readonly string[],
): Promise<void> => {
  if (renew.length === 0) return
  if (days === null) throw invalidField('renew', OUR_MESSAGES.renewByEndless)
  if (renew.length > connections) throw invalidField('renew', OUR_MESSAGES.renewMany)
  await checkRenewal(db, customerId, renew, NO_FEATURES, true)
}

/**
 * What is to be paid for a plan, what it extends, and where its new connections are to be. A press that comes again gets
 * of what the first one did, whatever that has made of the code or of the room: it may have used them up.
 */
const planTerms = async (
  { db, rateCounter }: With<'db' | 'rateCounter'>,
  customerId: string,
  plan: PlanToOrder,
  offer: PlanOffer,
): Promise<OrderTerms> => {
  const { promocode, total, instead, renew = [] } = offer
  const { id, price_minor, currency, connections } = plan
  try {
    const judged = promocode ? await validatePromocode({ db, rateCounter }, customerId, promocode) : undefined
    const sums = sumsFor(price_minor, judged)
    if (total !== undefined) checkTotal(total, sums.total_minor, currency)
    await checkPlanRenewal({ db }, customerId, plan, renew)
    const place = await chooseLocation({ db }, offer, connections - renew.length, id, 0)
    return { ...sums, renews: [...renew], ...place }
  } catch (refusal) {
    await refuseSamePress({ db }, customerId, id, offer)
    const live = await findPlanAttempt(db, customerId, id)
    if (live && live.id !== instead) throw new Problem('payment-under-way', { paymentId: live.id })
    throw refusal
  }
}

/** Writes an order of a plan, or finds the one that waits to be paid, which stays as it is. Returns its id. */
export const insertPlan = (
  db: Db,
  customerId: string,
  plan: PlanToOrder,
  terms: OrderSums | OrderTerms,
): Promise<string> =>
  insertPlanOrder(
    db,
    {
      id: randomUUID(),
      customer_id: customerId,
      days: plan.days,
      connections: plan.connections,
      options: toMask(NO_FEATURES),
      plan_id: plan.id,
      plan_name: plan.name,
      plan_period: plan.period,
      ...terms,
      currency: plan.currency,
    },
    ORDER_LIFETIME_HOURS,
  )

type PlanOrdered = { orderId: string; terms: OrderTerms }

/**
 * Returns the order to pay, and its terms, which go with the attempt to pay it: the order may have been made, or may be
 * changed by another tab until then, with another promocode, to extend others, or for another place. Throws 'total-differs',
 * 'invalid' for the promocode, `renew` and the location, and 'plan-just-bought' or 'payment-under-way' with the payment.
 */
export const orderPlan = async (
  { db, rateCounter }: With<'db' | 'rateCounter'>,
  customerId: string,
  plan: PlanToOrder,
  offer: PlanOffer,
): Promise<PlanOrdered> => {
  const terms = await planTerms({ db, rateCounter }, customerId, plan, offer)
  const orderId = await insertPlan(db, customerId, plan, terms)
  // Asked after the order is there: while another press completes the order, this one may have made a new one.
  await refuseSamePress({ db }, customerId, plan.id, offer)
  return { orderId, terms }
}

const isOfCalculator = (row: Awaited<ReturnType<typeof findOrderRow>>): row is OrderWithPayment =>
  row !== undefined && row.plan_id === null && row.days !== null

/** Throws 'order-not-found', also for another customer's order and for a plan's. */
export const getOrder = async ({ db }: With<'db'>, customerId: string, id: string): Promise<Order> => {
  const row = await findOrderRow(db, customerId, id)
  if (!isOfCalculator(row)) throw new Problem('order-not-found')
  return presentOrder(row)
}

/** A page of them. Throws 'cursor-invalid'. */
export const listOrders = async (
  { db }: With<'db'>,
  customerId: string,
  after?: string,
): Promise<Page<Order>> => {
  const { rows, next } = await readOrders(db, customerId, LISTED_AT_ONCE, after)
  return { rows: rows.map(presentOrder), next }
}

/** What is held of a customer's orders, for the file with all their data. */
export const ordersForExport = async ({ db }: With<'db'>, customerId: string): Promise<OrderData[]> =>
  (await listEveryOrderRow(db, customerId)).map(presentOrderData)

/** No payment of these orders can start or move until the transaction ends. Returns how many there are. */
export const lockOrders = async (trx: Trx, customerId: string): Promise<number> =>
  (await lockOrderRows(trx, customerId)).length

/** Whether the customer has more orders than were there when they were locked. */
export const hasNewOrders = async (trx: Trx, customerId: string, locked: number): Promise<boolean> =>
  (await countOrders(trx, customerId)) > locked

export const eraseOrders = (trx: Trx, customerId: string) => cutOrdersFrom(trx, customerId)
