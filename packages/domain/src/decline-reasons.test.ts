import { expect, test } from 'vitest'
import { declineReason } from './decline-reasons.ts'

test.each([
  ['10105', 'There is not enough money in the account.'],
  ['10301', 'You cancelled the payment.'],
  ['104', 'Card verification failed. Please try again.'],
])('a decline with the code %s is explained: %s', (code, message) => {
  expect(declineReason(code)).toBe(message)
})

const RISK = ['10401', '10402', '10404', '10405', '402', '1401', '1434', '1499', '20401', '20402']
const OURS = ['3041', '3061', '3062', '3261', '2004', '3023']

test.each([...RISK, ...OURS, '', '0', 'constructor', null, undefined])('%s is not explained', (code) => {
  expect(declineReason(code)).toBeUndefined()
})
