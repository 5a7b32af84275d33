import type { MonthStatementView } from '@hedgerow/contract/console/month'
import type { StatementData } from '@hedgerow/documents/statement-pdf'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { formatMinor } from '@hedgerow/domain/money'
import {
  correctionsOf,
  isBeside,
  type MonthStatement,
  STATEMENT_PARTS,
  STATEMENT_WORDS,
  type StatementPart,
} from '@hedgerow/domain/month-statement'
import { sheetText } from '#platform/csv/write-csv.ts'
import type { ClosedMonthRow } from '#platform/database/tables/closed-months.table.ts'
import type { Settings } from '#platform/settings.ts'

/** As it reads: what remains stands below what it is made of. */
const NAMES: readonly (StatementPart | 'remains')[] = [
  ...STATEMENT_PARTS.filter((part) => !isBeside(part)),
  'remains',
  ...STATEMENT_PARTS.filter(isBeside),
]

/** A line of these would only say that there was none. */
const SHOWN_IF_ANY: readonly (StatementPart | 'remains')[] = ['bad-debts']

const penceOf = ({ lines, remainsPence }: MonthStatement, name: StatementPart | 'remains'): number | null => {
  if (name === 'remains') return remainsPence
  const line = lines.find(({ part }) => part === name)
  return line ? line.pence : 0
}

const pounds = (pence: number | null): string | null => (pence === null ? null : formatMinor(pence))

const kindOf = (name: StatementPart | 'remains') =>
  name === 'remains' ? 'total' : isBeside(name) ? 'beside' : 'part'

const closedView = ({ closed_at, closed_by, reason, proofs }: ClosedMonthRow) => ({
  at: closed_at.toISOString(),
  by: closed_by,
  reason,
  agreed: proofs.checks.filter(({ agrees }) => agrees).length,
  differed: proofs.checks.filter(({ agrees }) => !agrees).length,
  waited: proofs.waiting.map(({ what, count }) => ({ what, count })),
})

export type KnownStatement = {
  month: string
  before: string
  isOver: boolean
  /** As it comes to now, whether it is closed or not. */
  now: MonthStatement
  ofBefore: MonthStatement
  closed: ClosedMonthRow | undefined
  changedBefore: string[]
  closesFirst: string | undefined
}

export const presentStatement = (known: KnownStatement): MonthStatementView => {
  const { month, before, isOver, now, ofBefore, closed, changedBefore, closesFirst } = known
  const statement = closed?.statement ?? now
  const sumsOf = (name: StatementPart | 'remains') =>
    (statement.lines.find(({ part }) => part === name)?.sums ?? [])
      .filter(({ currency, minor }) => currency !== 'GBP' && minor)
      .map(({ currency, minor }) => ({ currency, sum: formatMinorOf(minor ?? 0, currency) }))
  return {
    ...{ month, before, isOver },
    lines: NAMES.filter(
      (name) =>
        !SHOWN_IF_ANY.includes(name) || penceOf(statement, name) !== 0 || penceOf(ofBefore, name) !== 0,
    ).map((name) => ({
      name,
      what: STATEMENT_WORDS[name],
      kind: kindOf(name),
      pounds: pounds(penceOf(statement, name)),
      poundsBefore: pounds(penceOf(ofBefore, name)),
      sums: sumsOf(name),
    })),
    missingRates: closed ? [] : now.missing,
    closed: closed ? closedView(closed) : null,
    corrections: closed
      ? correctionsOf(closed.statement, now).map(({ part, closedPence, nowPence }) => ({
          what: STATEMENT_WORDS[part],
          closed: formatMinor(closedPence),
          now: pounds(nowPence),
          difference: nowPence === null ? null : formatMinor(nowPence - closedPence),
        }))
      : [],
    changedBefore,
    closesFirst: closesFirst ?? null,
  }
}

export const statementCsv = (view: MonthStatementView): string =>
  sheetText([
    ['line', `${view.month} GBP`, `${view.before} GBP`, 'of which'],
    ...view.lines.map(({ what, pounds: sum, poundsBefore, sums }) => [
      what,
      sum ?? '',
      poundsBefore ?? '',
      sums.map(({ currency, sum: of }) => `${currency} ${of}`).join(', '),
    ]),
    ...view.corrections.map(({ what, difference }) => [`Changed since: ${what}`, difference ?? '', '', '']),
  ])

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** '2026-10' → 'October 2026'. */
export const monthText = (month: string): string => MONTH.format(new Date(`${month}-15T12:00:00Z`))

const STERLING = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

const printed = (sum: string | null): string =>
  sum === null ? 'not known' : STERLING.format(Number(sum)).replace('-', '−')

export const statementData = (
  view: MonthStatementView,
  { brand }: Pick<Settings, 'brand'>,
): StatementData => {
  const { closed } = view
  const waited = closed ? closed.waited.reduce((all, { count }) => all + count, 0) : 0
  return {
    kind: 'statement',
    issuer: { name: brand.name, company: brand.company },
    made: closed ? new Date(closed.at) : new Date(),
    month: monthText(view.month),
    before: monthText(view.before),
    standing: closed
      ? `Closed ${formatUkTime(new Date(closed.at))}`
      : view.isOver
        ? 'Not closed yet'
        : 'The month is still running',
    ...(closed ? { closedBy: closed.by, reason: closed.reason } : {}),
    lines: view.lines.map(({ what, pounds: sum, poundsBefore, kind }) => ({
      ...{ what, kind, sum: printed(sum), before: printed(poundsBefore) },
    })),
    corrections: view.corrections.map(({ what, closed: then, now }) => ({
      ...{ what, closed: printed(then), now: printed(now) },
    })),
    notes: [
      'A month goes by the days of London. Other currencies are converted at the books’ rates of the month.',
      ...(view.missingRates.length > 0
        ? [`Not known while these rates are missing: ${view.missingRates.join(', ')}.`]
        : []),
      ...(closed
        ? [
            `When it was closed ${closed.agreed} of ${closed.agreed + closed.differed} totals agreed${waited > 0 ? ', and not everything was finished' : ''}.`,
          ]
        : []),
    ],
  }
}
