import { expect, test } from 'vitest'
import { describeGoods, describeOrder } from './order-description.ts'

const NO_PLAN = { plan_name: null, plan_period: null }

test.each([
  [{ ...NO_PLAN, days: 30, connections: 3 }, '30 days, 3 connections'],
  [{ ...NO_PLAN, days: 1, connections: 1 }, '1 day, 1 connection'],
  [{ ...NO_PLAN, days: 365, connections: 13 }, '365 days, 13 connections'],
  [{ plan_name: 'Wren', plan_period: '31 days', days: 31, connections: 3 }, 'Wren, 31 days, 3 connections'],
  [
    { plan_name: 'Rook', plan_period: 'for ever', days: null, connections: 1 },
    'Rook, Ethernity, 1 connection',
  ],
])('%j is told as %s', (order, text) => {
  expect(describeOrder(order)).toBe(text)
})

test.each([
  [{ ...NO_PLAN, days: 30, connections: 3 }, '3 connections for 30 days'],
  [{ ...NO_PLAN, days: 1, connections: 1 }, '1 connection for 1 day'],
  [
    { plan_name: 'Wren', plan_period: '31 days', days: null, connections: 3 },
    'Wren, 3 connections for 31 days',
  ],
])('%j is sold as %s', (order, text) => {
  expect(describeGoods(order)).toBe(text)
})
