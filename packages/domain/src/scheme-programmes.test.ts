import { expect, test } from 'vitest'
import { judgeMonth, type Scheme, type SchemeMonth, type Standing } from './scheme-programmes.ts'

test.each<[scheme: Scheme, month: SchemeMonth, ratio: number | null, standing: Standing]>([
  ['Visa', { payments: 1_000, paymentsBefore: 0, disputes: 4, fraud: 4 }, 0.008, 'below'],
  ['Visa', { payments: 1_000, paymentsBefore: 0, disputes: 5, fraud: 2 }, 0.007, 'below'],
  ['Visa', { payments: 1_000, paymentsBefore: 0, disputes: 5, fraud: 3 }, 0.008, 'near'],
  ['Visa', { payments: 100_000, paymentsBefore: 0, disputes: 1_000, fraud: 499 }, 0.01499, 'near'],
  ['Visa', { payments: 100_000, paymentsBefore: 0, disputes: 1_000, fraud: 500 }, 0.015, 'over'],
  ['Mastercard', { payments: 1, paymentsBefore: 10_000, disputes: 99, fraud: 99 }, 0.0099, 'near'],
  ['Mastercard', { payments: 1, paymentsBefore: 6_000, disputes: 100, fraud: 0 }, 1 / 60, 'over'],
  ['Mastercard', { payments: 5_000, paymentsBefore: 0, disputes: 6, fraud: 0 }, null, 'near'],
  ['Mastercard', { payments: 5_000, paymentsBefore: 0, disputes: 0, fraud: 0 }, null, 'below'],
])('%s of %j is at %d and %s', (scheme, month, ratio, standing) => {
  expect(judgeMonth(scheme, month)).toMatchObject({ ratio, standing })
})
