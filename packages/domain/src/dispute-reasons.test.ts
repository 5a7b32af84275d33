import { expect, test } from 'vitest'
import { disputeReasonWords } from './dispute-reasons.ts'

test.each([
  ['10.4', 'Other fraud, card absent'],
  [' 4853 ', 'Cardholder dispute'],
  ['f29', 'Card not present'],
  ['fraudulent', undefined],
  ['99.9', undefined],
  ['__proto__', undefined],
  ['', undefined],
  [null, undefined],
])('the reason %j is %j', (code, words) => {
  expect(disputeReasonWords(code)).toBe(words)
})
