import { formatCharged } from '@hedgerow/domain/exchange'
import { counted } from '@hedgerow/domain/order-description'
import type { CheckedMonth } from '#accounting/month-end/check-month.ts'
import { DOCUMENTS, type Line } from '#accounting/month-end/line.ts'
import type { ListedWaiting } from '#accounting/month-end/list-waiting.ts'
import { isCurrency } from '#desk/presentation/present-month.ts'
import { say, sayTable } from '#desk/tool/print.ts'

const shown = (amount: number | undefined, unit: string): string => {
  if (isCurrency(unit)) return formatCharged(amount ?? 0, unit)
  return unit === DOCUMENTS ? counted(amount ?? 0, 'document') : String(amount ?? 0)
}

const unitsOf = ({ left, right }: Line): string[] =>
  [...new Set([...Object.keys(left.sums), ...Object.keys(right.sums)])].toSorted()

const rowsOf = (line: Line): string[][] => {
  const verdict = line.agrees ? 'AGREES' : 'DIFFERS'
  const units = unitsOf(line)
  if (units.length === 0) return [[verdict, line.id, line.left.what, '-', line.right.what, '-']]
  return units.map((unit, at) => {
    const [left, right] = [shown(line.left.sums[unit], unit), shown(line.right.sums[unit], unit)]
    return at === 0
      ? [verdict, line.id, line.left.what, left, line.right.what, right]
      : ['', '', '', left, '', right]
  })
}

const sayDifferences = ({ id, differences, more, agrees }: Line): void => {
  if (agrees) return
  say('')
  say(`${id} DIFFERS:`)
  for (const { about, says } of differences) say(`  ${about}: ${says}`)
  if (differences.length === 0) say('  the totals are not the same')
  if (more > 0) say(`  and ${more} more`)
}

const sayWaiting = (title: string, all: readonly ListedWaiting[]): void => {
  if (all.length === 0) return
  say('')
  say(title)
  for (const { count, what, see, ids } of all) {
    say(`  ${count}: ${what}. See: ${see}`)
    if (ids.length > 0) say(`    ${ids.join(' ')}${count > ids.length ? ' …' : ''}`)
  }
}

const sayVerdict = ({ month, lines, waiting }: CheckedMonth): void => {
  const differing = lines.filter(({ agrees }) => !agrees).length
  say('')
  if (differing > 0) {
    const verb = differing === 1 ? 'differs' : 'differ'
    say(`${month.name} cannot be closed: ${differing} of ${lines.length} lines ${verb}.`)
    say('Find out why before anything is filed; then run this again. To compare with the gateway: reconcile')
    return
  }
  say(`Every total of ${month.name} agrees with every other.`)
  if (waiting.length > 0) say('The month can be closed once nothing waits any more.')
}

/** For a terminal: a table of what agrees, then what differs, what waits, and what to run next. */
export const sayMonth = (checked: CheckedMonth, next: readonly string[]): void => {
  sayTable(['', 'check', 'one total', '', 'the other', ''], checked.lines.flatMap(rowsOf))
  for (const line of checked.lines) sayDifferences(line)
  sayWaiting('The month cannot be closed while these wait:', checked.waiting)
  sayWaiting('To tell the accountant:', checked.remarks)
  sayVerdict(checked)
  if (next.length === 0) return
  say('Next:')
  for (const step of next) say(`  ${step}`)
}
