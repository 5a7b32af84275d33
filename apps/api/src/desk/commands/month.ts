import * as contract from '@hedgerow/contract/console/month'
import type { Command } from 'commander'
import { monthRoutes } from '#desk/month/month.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say, sayTable } from '#desk/tool/print.ts'

type Checked = contract.CheckedMonthView
type Waiting = Checked['waiting'][number]

/** What to do about each kind of what waits, or is to be known. */
const SEE = new Map([
  ['month-runs', 'this command again, once it has'],
  ['no-rate', 'rate sterling set'],
  ['no-invoice', 'payment list --only invoice-failing'],
  ['no-credit-note', 'the shop issues them within seconds while it runs; if not, look at its log'],
  ['open-refunds', 'payment list --only refund-by-hand, or refund-refused, or refund-stuck'],
  ['unasked-refunds', 'payment list --only refund-stuck'],
  ['open-payments', 'payment list --only stuck'],
  ['unknown-payments', 'payment unknown'],
  ['no-sterling', 'the VAT return takes the rate of their month'],
  ['old-rate', 'set each month’s rates on its first day'],
  ['open-disputes', 'dispute list --status open'],
  ['no-settlement', 'settlement fetch, or settlement import'],
  ['report-awaited', 'settlement fetch, once the gateway has reported those days'],
  ['part-settlement', 'settlement fetch, or settlement import'],
])

const sums = (total: Checked['checks'][number]['left']): string =>
  Object.entries(total.sums)
    .map(([unit, sum]) => `${sum} ${unit}`)
    .join(', ') || '-'

const sayWaiting = (title: string, all: readonly Waiting[]): void => {
  if (all.length > 0) for (const line of ['', title]) say(line)
  for (const { kind, what, count, ids } of all) {
    say(`  ${count}: ${what}. See: ${SEE.get(kind) ?? kind}`)
    if (ids.length > 0) say(`    ${ids.join(' ')}${count > ids.length ? ' …' : ''}`)
  }
}

/** What is left of a month's work when all agrees, in its order; the quarter's returns after its last month. */
const nextSteps = ({ quarter, from, to }: Checked): string[] => [
  ...(quarter
    ? [
        `vat-return --from ${quarter.from} --to ${quarter.to}     (if your VAT quarter ends now)`,
        `oss-return --quarter ${quarter.name}     (with VAT_SCHEME=oss)`,
      ]
    : []),
  `invoice export --from ${from} --to ${to}     (for the accountant)`,
  'withdrawal export --currency EUR --out FILE, then withdrawal import --file FILE     (to pay the partners)',
]

const verdictOf = ({ month, canBeClosed, checks }: Checked): string => {
  const differing = checks.filter(({ agrees }) => !agrees).length
  if (differing > 0)
    return (
      `${month} cannot be closed: ${differing} of ${checks.length} lines differ. ` +
      'Find out why before anything is filed; then run this again. To compare with the gateway: reconcile'
    )
  const all = `Every total of ${month} agrees with every other.`
  return canBeClosed ? all : `${all} The month can be closed once nothing waits any more.`
}

const print = (checked: Checked): void => {
  const { checks, waiting, remarks, canBeClosed } = checked
  sayTable(
    ['', 'check', 'one total', '', 'the other', ''],
    checks.map(({ check, agrees, left, right }) => [
      agrees ? 'AGREES' : 'DIFFERS',
      check,
      left.what,
      sums(left),
      right.what,
      sums(right),
    ]),
  )
  for (const { check, agrees, differences, moreDifferences } of checks) {
    if (agrees) continue
    say('')
    say(`${check} DIFFERS:`)
    for (const { about, says } of differences) say(`  ${about}: ${says}`)
    if (differences.length === 0) say('  the totals are not the same')
    if (moreDifferences > 0) say(`  and ${moreDifferences} more`)
  }
  sayWaiting('The month cannot be closed while these wait:', waiting)
  sayWaiting('To tell the accountant:', remarks)
  say('')
  say(verdictOf(checked))
  if (canBeClosed) for (const line of ['Next:', ...nextSteps(checked).map((step) => `  ${step}`)]) say(line)
}

const printStatement = (view: contract.MonthStatementView): void => {
  const { month, before, lines, closed, corrections, changedBefore, missingRates, isOver } = view
  sayTable(
    ['In pounds', month, before, ''],
    lines.map(({ what, pounds, poundsBefore, sums: made }) => [
      what,
      pounds ?? 'not known',
      poundsBefore ?? 'not known',
      made.map(({ currency, sum }) => `${sum} ${currency}`).join(', '),
    ]),
  )
  say('')
  if (missingRates.length > 0)
    say(`These rates are missing: ${missingRates.join(', ')}. See: rate sterling set`)
  if (closed) say(`Closed ${closed.at} by ${closed.by}.${closed.reason ? ` Reason: ${closed.reason}` : ''}`)
  else say(isOver ? 'Not closed yet.' : 'The month is still running.')
  if (corrections.length > 0) {
    say('Changed since it was closed:')
    for (const { what, closed: then, now } of corrections)
      say(`  ${what}: ${then}, now ${now ?? 'not known'}`)
  }
  for (const name of changedBefore)
    say(`${name} has changed since it was closed. See: month statement --month ${name}`)
}

export const addMonth = (program: Command): Command => {
  // Paper is made in a thread of the shop's.
  const { monthStatementPdf: _, ...calls } = contract
  return addCalls(program, {
    name: 'month',
    summary: 'close a month of the books',
    description:
      'Close a month of the books. `check` ends with 1 where something differs or waits; `close` records the month for good.',
    contract: [calls],
    answer: monthRoutes,
    prints: { 'month check': print, 'month statement': printStatement },
    // Nothing failed, but a timer that runs it wants to hear of it.
    exitCodes: { 'month check': ({ canBeClosed }: Checked) => (canBeClosed ? 0 : 1) },
  })
}
