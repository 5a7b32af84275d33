import { daysOfQuarter, quarterOf } from '@hedgerow/domain/periods'
import { type Command, InvalidArgumentError } from 'commander'
import { type CheckedMonth, checkMonth, isClosable, isForgotten } from '#accounting/month-end/check-month.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { sayMonth } from '#desk/commands/say-month.ts'
import { presentMonth } from '#desk/presentation/present-month.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { readMonth } from '#desk/tool/periods.ts'
import { sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

/** What differs or waits is no failure of the command, but a timer that runs it wants to hear of it. */
const IS_OPEN = 1

const readBegunMonth = (text: string): Month => {
  const month = parseMonth(readMonth(text)) as Month
  if (month.from > new Date()) throw new InvalidArgumentError('That month has not begun.')
  return month
}

/** What is left of a month's work when all agrees, in its order; the quarter's returns after its last month. */
const nextSteps = (checked: CheckedMonth): string[] => {
  const { month } = checked
  if (!isClosable(checked)) return []
  const quarter = quarterOf(month.firstDay)
  const { from, to } = daysOfQuarter(quarter)
  const isQuartersEnd = to === month.lastDay
  return [
    ...(isQuartersEnd
      ? [
          `vat-return --from ${from} --to ${to}     (if your VAT quarter ends now)`,
          `oss-return --quarter ${quarter}     (with VAT_SCHEME=oss)`,
        ]
      : []),
    `invoice export --from ${month.firstDay} --to ${month.lastDay}     (for the accountant)`,
    'withdrawal export --currency EUR --out FILE, then withdrawal import --file FILE     (to pay the partners)',
  ]
}

const check = ({ month, json }: { month: Month; json?: true }) =>
  withDatabase(async (db) => {
    const now = new Date()
    if (isForgotten(month, now))
      throw new Refusal(
        `The documents of ${month.name} need not be kept any more, and some of them are deleted.`,
      )
    const checked = await checkMonth({ db }, month, now)
    if (json) sayJson(presentMonth(checked))
    else sayMonth(checked, nextSteps(checked))
    if (!isClosable(checked)) toolRun().exitCode = IS_OPEN
  })

export const addMonth = (program: Command): void => {
  const group = program
    .command('month')
    .summary('close a month of the books')
    .description('Close a month of the books.')
  reads(group.command('check'))
    .summary('check that every total of a month agrees with every other')
    .description(
      'Add up a month in two ways for each of its totals (invoices and payments, credit notes and refunds, VAT, sterling, ' +
        'partners) and list what differs, with ids, and what still waits. A month goes by the days in London. Nothing is ' +
        'changed. Exit code 0: all agrees and nothing waits; 1: something differs or waits.',
    )
    .requiredOption('--month <month>', 'like 2026-11', readBegunMonth)
    .addOption(JSON_OPTION)
    .action(check)
}
