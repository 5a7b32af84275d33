import { randomUUID } from 'node:crypto'
import type { Order } from '@hedgerow/contract/orders'
import type { OrderData } from '@hedgerow/contract/profile'
import { type CurrencyCode, formatMoney, toMajor, toMinor } from '@hedgerow/domain/money'
import { ORDER_LIFETIME_HOURS } from '@hedgerow/domain/order-moves'
import { type Choice, type Features, NO_FEATURES, totalMinor } from '@hedgerow/domain/pricing'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { Problem } from '#problems.ts'
import { checkRenewal } from '#renewals/check-renewal.ts'
import { presentOrder, presentOrderData } from './orders.present.ts'
import {
  cutOrdersFrom,
  findOrderRow,
  findRecentPurchase,
  insertOrder,
  insertPlanOrder,
  listEveryOrderRow,
  listOrderRows,
  lockOrderRows,
  type OrderWithPayment,
} from './orders.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

const LISTED = 100

/** Refuses a total that is not ours: nobody is charged another sum than the one they saw. */
export const checkTotal = (shown: number, ours: number, currency: CurrencyCode): void => {
  if (toMinor(shown) === ours) return
  const message = `The total is ${formatMoney(ours, currency)}`
  throw new Problem('total-differs', { errors: [{ path: 'total', message }] })
}

const featureColumns = ({ priorityBandwidth, adFilter, malwareFilter, familyFilter }: Features) => ({
  priority_bandwidth: priorityBandwidth,
  ad_filter: adFilter,
  malware_filter: malwareFilter,
  family_filter: familyFilter,
})

/** What an order costs, what comes off that, and what is to be paid, in units. */
type OrderMade = { orderId: string; price: number; discount: number; total: number }

type CreateOrder = Choice & { currency: CurrencyCode; total: number; renew: readonly string[] }

/** Throws 'total-differs', or 'invalid' for connections that it cannot extend. */
export const createOrder = async (
  { db }: With<'db'>,
  customerId: string,
  { total, currency, renew, ...choice }: CreateOrder,
): Promise<OrderMade> => {
  const ours = totalMinor(choice)
  checkTotal(total, ours, currency)
  await checkRenewal(db, customerId, renew, choice.features)
  const id = randomUUID()
  const row = {
    id,
    customer_id: customerId,
    days: choice.days,
    connections: choice.connections,
    ...featureColumns(choice.features),
    renews: [...renew],
    total_minor: ours,
    currency,
  }
  await insertOrder(db, row, ORDER_LIFETIME_HOURS)
  return { orderId: id, price: toMajor(ours), discount: 0, total: toMajor(ours) }
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

/** Nobody fills in a card form so soon: a sale that comes right after one that succeeded is the same press again. */
const SAME_PRESS_S = 10

/** Answers the order to pay. Throws 'plan-just-bought' with the payment that did. */
export const orderPlan = async (
  { db }: With<'db'>,
  customerId: string,
  plan: PlanToOrder,
): Promise<string> => {
  const row = {
    id: randomUUID(),
    customer_id: customerId,
    days: plan.days,
    connections: plan.connections,
    ...featureColumns(NO_FEATURES),
    plan_id: plan.id,
    plan_name: plan.name,
    plan_period: plan.period,
    total_minor: plan.price_minor,
    currency: plan.currency,
  }
  const id = await insertPlanOrder(db, row, ORDER_LIFETIME_HOURS)
  // Asked after the order is there: while another press completes the order, this one may have made a new one.
  const bought = await findRecentPurchase(db, customerId, plan.id, SAME_PRESS_S)
  if (bought) throw new Problem('plan-just-bought', { paymentId: bought.id })
  return id
}

const isOfCalculator = (row: Awaited<ReturnType<typeof findOrderRow>>): row is OrderWithPayment =>
  row !== undefined && row.plan_id === null && row.days !== null

/** Throws 'order-not-found', also for another customer's order and for a plan's. */
export const getOrder = async ({ db }: With<'db'>, customerId: string, id: string): Promise<Order> => {
  const row = await findOrderRow(db, customerId, id)
  if (!isOfCalculator(row)) throw new Problem('order-not-found')
  return presentOrder(row)
}

export const listOrders = async ({ db }: With<'db'>, customerId: string): Promise<Order[]> =>
  (await listOrderRows(db, customerId, LISTED)).map(presentOrder)

/** What is held of a customer's orders, for the file with all their data. */
export const ordersForExport = async ({ db }: With<'db'>, customerId: string): Promise<OrderData[]> =>
  (await listEveryOrderRow(db, customerId)).map(presentOrderData)

/** No payment of these orders can start or move until the transaction ends. */
export const lockOrders = (trx: Transaction<Database>, customerId: string) => lockOrderRows(trx, customerId)

export const eraseOrders = (trx: Transaction<Database>, customerId: string) => cutOrdersFrom(trx, customerId)
