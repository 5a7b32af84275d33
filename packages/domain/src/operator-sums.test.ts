import { expect, test } from 'vitest'
import { ACTS_A_DAY, judgeSum } from './operator-sums.ts'

const limits = { largeMinor: 5_000, secondMinor: 50_000 }
const none = { customerMinor: 0, operatorMinor: 0 }

test.each([
  [{ ...none, amountMinor: 5_000 }, 'small'],
  [{ ...none, amountMinor: 5_001 }, 'large'],
  [{ amountMinor: 1, customerMinor: 5_000, operatorMinor: 0 }, 'large'],
  [{ amountMinor: 4_900, customerMinor: 0, operatorMinor: 5_000 * ACTS_A_DAY - 4_900 }, 'small'],
  [{ amountMinor: 4_900, customerMinor: 0, operatorMinor: 5_000 * ACTS_A_DAY - 4_899 }, 'large'],
  [{ ...none, amountMinor: 50_000 }, 'large'],
  [{ ...none, amountMinor: 50_001 }, 'two'],
  [{ amountMinor: 1, customerMinor: 50_000, operatorMinor: 0 }, 'two'],
  [{ amountMinor: 1, customerMinor: 0, operatorMinor: 50_000 * ACTS_A_DAY }, 'two'],
] as const)('%j is %s', (given, takes) => {
  expect(judgeSum(given, limits)).toBe(takes)
})

test('a limit that lies below the other one goes first', () => {
  expect(judgeSum({ ...none, amountMinor: 101 }, { largeMinor: 5_000, secondMinor: 100 })).toBe('two')
})
