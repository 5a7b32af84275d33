import { expect, test } from 'vitest'
import { goodwillLeft } from './goodwill.ts'

test.each([
  [{ ofMonth: 0, ofYear: 0 }, false, 7],
  [{ ofMonth: 0, ofYear: 0 }, true, 31],
  [{ ofMonth: 5, ofYear: 5 }, false, 2],
  [{ ofMonth: 8, ofYear: 8 }, false, 0],
  [{ ofMonth: 8, ofYear: 8 }, true, 23],
  [{ ofMonth: 0, ofYear: 60 }, true, 2],
  [{ ofMonth: 0, ofYear: 90 }, true, 0],
])('after %o, with more allowed %s, %i days are left', (given, mayMore, left) => {
  expect(goodwillLeft(given, mayMore)).toBe(left)
})
