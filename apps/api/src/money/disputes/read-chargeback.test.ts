import { expect, test } from 'vitest'
import { readChargeback } from '#money/disputes/read-chargeback.ts'

const as = (status: unknown) =>
  readChargeback({
    ...{ chargeback_id: 1, payment_id: 'p', status },
    sum_initial: { amount: 3000, currency: 'EUR' },
  })?.status

test.each([
  // The bank has taken its claim back.
  ['won', 'won'],
  ['reversed', 'won'],
  ['cancelled', 'won'],
  // The shop's side has accepted it: the money is gone.
  ['lost', 'lost'],
  ['accepted', 'lost'],
  ['Accepted', 'lost'],
  ['new', 'open'],
  ['pre_arbitration', 'open'],
  ['won back', 'open'],
])('the gateway’s word %s means %s', (word, status) => {
  expect(as(word)).toBe(status)
})
