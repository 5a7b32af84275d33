import { periodLabel } from './plans.ts'

/** An order's columns, or an order of the calculator, which knows no plan. */
export type DescribedOrder = {
  plan_name?: string | null
  plan_period?: string | null
  /** Null where the plan has no end. */
  days: number | null
  connections: number
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

const timeOf = ({ plan_name, plan_period, days }: DescribedOrder): string[] => {
  if (plan_name && plan_period) return [plan_name, periodLabel(plan_period)]
  return days === null ? [] : [counted(days, 'day')]
}

/** What an order is for, in a line: '30 days, 3 connections', or 'Wren, 1 week, 3 connections'. */
export const describeOrder = (order: DescribedOrder): string =>
  [...timeOf(order), counted(order.connections, 'connection')].join(', ')
