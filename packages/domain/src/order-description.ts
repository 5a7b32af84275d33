import { periodLabel } from './plans.ts'
import { listNames } from './renewals.ts'

/** An order's columns, or an order of the calculator, which knows no plan. */
export type DescribedOrder = {
  plan_name?: string | null
  plan_period?: string | null
  /** Null where the plan has no end. */
  days: number | null
  connections: number
  /** The connections that it extends. */
  renew?: readonly { name: string }[]
}

export const counted = (count: number, one: string) =>
  `${count.toLocaleString('en-GB')} ${one}${count === 1 ? '' : 's'}`

const timeOf = ({ plan_name, plan_period, days }: DescribedOrder): string[] => {
  if (plan_name && plan_period) return [plan_name, periodLabel(plan_period)]
  return days === null ? [] : [counted(days, 'day')]
}

const extendedBy = ({ renew = [] }: DescribedOrder): string[] =>
  renew.length === 0 ? [] : [`extends ${listNames(renew.map(({ name }) => name))}`]

/** What a customer is about to buy, as a sentence has it: '3 connections for 30 days', or 'Wren, 3 connections for 1 week'. */
export const describeGoods = (order: DescribedOrder): string => {
  const [time, ...plan] = timeOf(order).reverse()
  return [...plan, `${counted(order.connections, 'connection')} for ${time}`].join(', ')
}

/** An order of no connections only holds a payment that goes back. */
const NOT_COMPLETED = 'a purchase that we could not complete'

/**
 * What an order is for, in a line: '30 days, 3 connections, extends Hedgerow 1', or 'Wren, 1 week, 3 connections'. Its
 * options stand there too where they are asked for.
 */
export const describeOrder = (order: DescribedOrder, options: readonly string[] = []): string =>
  order.connections === 0
    ? NOT_COMPLETED
    : [...timeOf(order), counted(order.connections, 'connection'), ...options, ...extendedBy(order)].join(
        ', ',
      )
