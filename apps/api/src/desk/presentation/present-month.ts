import { formatMinorOf } from '@hedgerow/domain/exchange'
import { type CheckedMonth, isClosable } from '#accounting/month-end/check-month.ts'
import type { Line, Sums, Total } from '#accounting/month-end/line.ts'
import type { ListedWaiting } from '#accounting/month-end/list-waiting.ts'

export const isCurrency = (unit: string) => /^[A-Z]{3}$/.test(unit)

const presentSums = (sums: Sums) =>
  Object.fromEntries(
    Object.entries(sums)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, amount]) => [unit, isCurrency(unit) ? formatMinorOf(amount, unit) : String(amount)]),
  )

const presentTotal = ({ what, sums }: Total) => ({ what, sums: presentSums(sums) })

const presentLine = ({ id, left, right, agrees, differences, more }: Line) => ({
  check: id,
  agrees,
  left: presentTotal(left),
  right: presentTotal(right),
  differences,
  moreDifferences: more,
})

const presentWaiting = ({ kind, what, see, count, ids }: ListedWaiting) => ({ kind, what, see, count, ids })

/** Amounts as strings, in their currency; '…documents' is a number of documents. */
export const presentMonth = ({ month, lines, waiting, remarks }: CheckedMonth) => ({
  month: month.name,
  from: month.from.toISOString(),
  to: month.to.toISOString(),
  agrees: lines.every(({ agrees }) => agrees),
  canBeClosed: isClosable({ month, lines, waiting, remarks }),
  checks: lines.map(presentLine),
  waiting: waiting.map(presentWaiting),
  remarks: remarks.map(presentWaiting),
})
