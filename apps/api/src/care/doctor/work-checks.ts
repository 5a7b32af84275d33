import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { checkMonth, isClosable } from '#accounting/month-end/check-month.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import type { Check } from '#care/doctor/check.ts'
import { commandOfAlert } from '#care/overview/alert-commands.ts'
import { listAlerts } from '#care/overview/alerts.ts'
import type { Db } from '#platform/database/client.ts'
import { type Finding, ok, warning } from '#platform/doctor/finding.ts'

const count = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`

/** The last month that is over: whether its books can be closed, as `month check` says. */
const lookAtMonth = async (db: Db, now = new Date()): Promise<Finding> => {
  const name = addMonths(monthOf(isoDay(now)), -1)
  const checked = await checkMonth({ db }, parseMonth(name) as Month, now)
  if (isClosable(checked)) return ok(`the books of ${name} agree, and nothing keeps them open`)
  const differing = checked.lines.filter(({ agrees }) => !agrees).length
  const open = [
    ...(differing > 0 ? [`${count(differing, 'total differs', 'totals differ')}`] : []),
    ...(checked.waiting.length > 0
      ? [`${count(checked.waiting.length, 'kind of thing waits', 'kinds of things wait')}`]
      : []),
  ]
  return warning(`the books of ${name} cannot be closed: ${open.join(', ')}`, `month check --month ${name}`)
}

export const workChecks: readonly Check[] = [
  {
    name: 'waiting',
    look: async ({ db }) => {
      const alerts = await listAlerts(db)
      if (alerts.length === 0) return ok('nothing is waiting for you')
      return alerts.map((alert) => warning(alert.what, commandOfAlert(alert)))
    },
  },
  { name: 'month', look: ({ db }) => lookAtMonth(db) },
]
