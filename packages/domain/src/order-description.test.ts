import { expect, test } from 'vitest'
import { describeOrder } from './order-description.ts'

test.each([
  [{ days: 30, connections: 3 }, '30 days, 3 connections'],
  [{ days: 1, connections: 1 }, '1 day, 1 connection'],
  [{ plan: null, days: 365, connections: 13 }, '365 days, 13 connections'],
  [{ plan: 'Family', days: null, connections: 5 }, 'Family'],
  [{ plan: 'Family', days: 31, connections: 5 }, 'Family'],
  [{ days: null, connections: 5 }, '5 connections'],
])('%j is told as %s', (order, told) => {
  expect(describeOrder(order)).toBe(told)
})
