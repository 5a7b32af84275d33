import { randomUUID } from 'node:crypto'
import type { Order } from '@hedgerow/contract/orders'
import { type CurrencyCode, formatMoney, toMinor } from '@hedgerow/domain/money'
import { ORDER_LIFETIME_HOURS } from '@hedgerow/domain/order-moves'
import { type Choice, totalMinor } from '@hedgerow/domain/pricing'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { Problem } from '#problems.ts'
import { presentOrder } from './orders.present.ts'
import {
  cutOrdersFrom,
  findOrderRow,
  insertOrder,
  listEveryOrderRow,
  listOrderRows,
  lockOrderRows,
} from './orders.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

const LISTED = 100

/** Refuses a total that is not ours: nobody is charged another sum than the one they saw. */
export const checkTotal = (shown: number, ours: number, currency: CurrencyCode): void => {
  if (toMinor(shown) === ours) return
  const message = `The total is ${formatMoney(ours, currency)}`
  throw new Problem('total-differs', { errors: [{ path: 'total', message }] })
}

type CreateOrder = Choice & { currency: CurrencyCode; total: number }

/** Throws 'total-differs'. */
export const createOrder = async (
  { db }: With<'db'>,
  customerId: string,
  { total, currency, ...choice }: CreateOrder,
): Promise<string> => {
  const ours = totalMinor(choice)
  checkTotal(total, ours, currency)
  const id = randomUUID()
  const { priorityBandwidth, adFilter, malwareFilter, familyFilter } = choice.features
  const row = {
    id,
    customer_id: customerId,
    days: choice.days,
    connections: choice.connections,
    priority_bandwidth: priorityBandwidth,
    ad_filter: adFilter,
    malware_filter: malwareFilter,
    family_filter: familyFilter,
    total_minor: ours,
    currency,
  }
  await insertOrder(db, row, ORDER_LIFETIME_HOURS)
  return id
}

/** Throws 'order-not-found', also for another customer's order. */
export const getOrder = async ({ db }: With<'db'>, customerId: string, id: string): Promise<Order> => {
  const row = await findOrderRow(db, customerId, id)
  if (!row) throw new Problem('order-not-found')
  return presentOrder(row)
}

export const listOrders = async ({ db }: With<'db'>, customerId: string): Promise<Order[]> =>
  (await listOrderRows(db, customerId, LISTED)).map(presentOrder)

/** What is held of a customer's orders, for the file with all their data. */
export const ordersForExport = async ({ db }: With<'db'>, customerId: string): Promise<Order[]> =>
  (await listEveryOrderRow(db, customerId)).map(presentOrder)

/** No payment of these orders can start or move until the transaction ends. */
export const lockOrders = (trx: Transaction<Database>, customerId: string) => lockOrderRows(trx, customerId)

export const eraseOrders = (trx: Transaction<Database>, customerId: string) => cutOrdersFrom(trx, customerId)
