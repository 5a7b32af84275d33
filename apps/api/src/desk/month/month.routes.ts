import { checkConsoleMonth } from '@hedgerow/contract/console/month'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { daysOfQuarter, quarterOf } from '@hedgerow/domain/periods'
import type { FastifyInstance } from 'fastify'
import { checkMonth, isClosable, isForgotten } from '#accounting/month-end/check-month.ts'
import { isCurrency, type Line, type Total } from '#accounting/month-end/line.ts'
import { parseMonth } from '#accounting/month-end/month.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'
import { invalidField } from '#platform/http/problems.ts'

const presentTotal = ({ what, sums }: Total) => ({
  what,
  sums: Object.fromEntries(
    Object.entries(sums)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, amount]) => [unit, isCurrency(unit) ? formatMinorOf(amount, unit) : String(amount)]),
  ),
})

const presentLine = ({ id, left, right, agrees, differences, more }: Line) => ({
  check: id,
  agrees,
  left: presentTotal(left),
  right: presentTotal(right),
  differences,
  moreDifferences: more,
})

/** Whether a month's books can be closed. */
export const monthRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void =>
  implementForOperators(app, deps, checkConsoleMonth, async ({ query }) => {
    const month = parseMonth(query.month)
    const now = new Date()
    if (!month || month.from > now) throw invalidField('month', 'This month has not begun.')
    if (isForgotten(month, now))
      throw refused(`the documents of ${month.name} need not be kept any more, and some of them are deleted`)
    const checked = await checkMonth({ db: deps.exportDb }, month, now)
    const quarter = quarterOf(month.firstDay)
    const days = daysOfQuarter(quarter)
    return {
      month: month.name,
      canBeClosed: isClosable(checked),
      checks: checked.lines.map(presentLine),
      waiting: checked.waiting,
      remarks: checked.remarks,
      quarter: days.to === month.lastDay ? { name: quarter, ...days } : null,
      from: month.firstDay,
      to: month.lastDay,
    }
  })
