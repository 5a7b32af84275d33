import * as contract from '@hedgerow/contract/console/month'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { closesBefore, correctionsOf } from '@hedgerow/domain/month-statement'
import { addMonths, daysOfQuarter, quarterOf } from '@hedgerow/domain/periods'
import type { FastifyInstance } from 'fastify'
import { checkMonth, isClosable, isForgotten } from '#accounting/month-end/check-month.ts'
import {
  closeMonth,
  findClosedMonth,
  findLastClosed,
  type NotClosed,
} from '#accounting/month-end/close-month.ts'
import { isCurrency, type Line, type Total } from '#accounting/month-end/line.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { readStatement } from '#accounting/month-end/read-statement.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, implementCsv } from '#desk/console/serve-list.ts'
import { shownText } from '#desk/console/shown-names.ts'
import { monthText, presentStatement, statementCsv, statementData } from '#desk/month/month.present.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, type Problem } from '#platform/http/problems.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

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

/** One that has begun, and of which the documents are still there. */
const askedMonth = (typed: string, now: Date): Month => {
  const month = parseMonth(typed)
  if (!month || month.from > now) throw invalidField('month', 'This month has not begun.')
  if (isForgotten(month, now))
    throw refused(`the documents of ${month.name} need not be kept any more, and some of them are deleted`)
  return month
}

/** A late report of the gateway, or a late invoice, reaches back as far. */
const LOOKED_BACK = [-1, -2, -3]

const changedBefore = async (
  { exportDb: db }: ConsoleListDependencies,
  { name }: Month,
): Promise<string[]> => {
  const changed: string[] = []
  for (const back of LOOKED_BACK) {
    const month = parseMonth(addMonths(name, back)) as Month
    const closed = await findClosedMonth(db, month.name)
    if (closed && correctionsOf(closed.statement, await readStatement({ db }, month)).length > 0)
      changed.push(month.name)
  }
  return changed
}

const statementViewOf = async (deps: ConsoleListDependencies, typed: string) => {
  const { exportDb: db } = deps
  const now = new Date()
  const month = askedMonth(typed, now)
  const before = parseMonth(addMonths(month.name, -1)) as Month
  const closedBefore = await findClosedMonth(db, before.name)
  return presentStatement({
    ...{ month: month.name, before: before.name, isOver: now >= month.to },
    now: await readStatement({ db }, month),
    ofBefore: closedBefore?.statement ?? (await readStatement({ db }, before)),
    closed: await findClosedMonth(db, month.name),
    changedBefore: await changedBefore(deps, month),
    closesFirst: closesBefore(month.name, await findLastClosed(db)),
  })
}

const whyNot = (month: Month, not: NotClosed): Problem => {
  const name = monthText(month.name)
  switch (not.why) {
    case 'not-over':
      return refused(`${name} is not over yet`)
    case 'no-rate':
      return refused(`set the rate of ${not.currencies.join(', ')} for ${name} first`)
    case 'out-of-order':
      return refused(`months are closed one after another, and ${monthText(not.next)} is next`)
    case 'differs': {
      const differing = `${not.differing} of ${not.checks} totals differ`
      const waiting = not.waiting.map(({ count, what }) => `${count}: ${what}`).join('; ')
      const what = [not.differing > 0 ? differing : '', waiting].filter(Boolean).join('; ')
      return refused(`${name} is not in order: ${what}. To close it all the same, give a reason`)
    }
  }
}

const nameOf = (operator: OperatorCaller): string =>
  operator.by === 'shell' ? operator.name || operator.shell : operator.name

/** What a month comes to, whether its books can be closed, and its closing. */
export const monthRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  implementForOperators(app, deps, contract.checkConsoleMonth, async ({ query }) => {
    const now = new Date()
    const month = askedMonth(query.month, now)
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

  implementForOperators(app, deps, contract.getMonthStatement, async ({ query, operator }) => {
    const view = await statementViewOf(deps, query.month)
    const { closed } = view
    return closed?.reason
      ? { ...view, closed: { ...closed, reason: shownText(closed.reason, operator) } }
      : view
  })
  implementCsv(app, deps, contract.monthStatementFile, async ({ month }: { month: string }) => ({
    name: `statement-${month}`,
    text: statementCsv(await statementViewOf(deps, month)),
  }))

  implementForOperators(app, deps, contract.closeMonth, async ({ params, body, operator }) => {
    const now = new Date()
    const month = askedMonth(params.month, now)
    const closing = await closeMonth(deps, month, { by: nameOf(operator), reason: body.reason, now })
    if ('why' in closing) throw whyNot(month, closing)
    const { isNew, closed } = closing
    return { isNew, month: closed.month, at: closed.closed_at.toISOString(), by: closed.closed_by }
  })
}

type PdfDeps = ConsoleListDependencies & With<'settings'> & InvoiceDependencies

/** The statement on paper, which the shop prints. */
export const monthPdfRoutes = (app: FastifyInstance, deps: PdfDeps): void => {
  implementForOperators(app, deps, contract.monthStatementPdf, async ({ params }, reply) => {
    const view = await statementViewOf(deps, params.month)
    const bytes = await deps.pdfs.make(statementData(view, deps.settings))
    reply.type('application/pdf')
    reply.header('content-disposition', `attachment; filename="statement-${view.month}.pdf"`)
    return bytes as never
  })
}
