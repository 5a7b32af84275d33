import { formatMinor } from '@hedgerow/domain/money'
import { createLine, type Line, type OpenLine } from '#accounting/month-end/line.ts'
import type { Books } from '#accounting/month-end/pages.ts'
import {
  findEarnedElsewhere,
  findFiledElsewhere,
  findPaidElsewhere,
  type SumOf,
  sumEarned,
  sumEarnedInLedger,
  sumInFiles,
  sumPaidByFile,
} from '#accounting/month-end/partners.queries.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { sumPaidOut } from '#partners/payout-files/payouts.service.ts'

const addAll = (line: OpenLine, side: 'left' | 'right', sums: readonly SumOf[]): void => {
  for (const { currency, minor } of sums) line.add(side, currency, Number(minor))
}

const checkEarnings = async ({ db, month, pageRows }: Books): Promise<Line> => {
  const line = createLine('partners-earnings', 'earned by partners', 'the ledger has as earned')
  addAll(line, 'left', await sumEarned(db, month))
  addAll(line, 'right', await sumEarnedInLedger(db, month))
  for (const { about, minor, currency } of await findEarnedElsewhere(db, month, pageRows))
    line.differ(`payment ${about}`, `an earning of ${formatMinor(Number(minor))} ${currency} is not in both`)
  return line.end()
}

/** All that the partners have, from the beginning: what is wrong in it is wrong in every month. */
const checkLedger = async ({ db }: Books): Promise<Line> => {
  const line = createLine('partners-books', 'what the partners’ books say', 'what they should say')
  for (const { what, partner_id, currency, about, has, should } of await checkBooks({ db })) {
    line.add('left', currency ?? 'count', Number(has))
    line.add('right', currency ?? 'count', Number(should))
    const whose = partner_id ? ` of partner ${partner_id}` : ''
    line.differ(about ?? `partner ${partner_id ?? ''}`.trim(), `${what}${about ? whose : ''}`)
  }
  return line.end()
}

const checkWithdrawals = async ({ db, month, pageRows }: Books): Promise<Line> => {
  const line = createLine('withdrawals-paid', 'withdrawals that were paid', 'the ledger has as paid')
  for (const { currency, paidMinor, ledgerMinor } of await sumPaidOut({ db }, month.from, month.to)) {
    line.add('left', currency, paidMinor)
    line.add('right', currency, ledgerMinor)
  }
  for (const { about, minor, currency } of await findPaidElsewhere(db, month, pageRows))
    line.differ(`withdrawal ${about}`, `${formatMinor(Number(minor))} ${currency} is not in both`)
  return line.end()
}

/** What was paid in other ways stands in no file. */
const checkPayouts = async ({ db, month, pageRows }: Books): Promise<Line> => {
  const line = createLine(
    'payouts-in-files',
    'paid from files for the bank',
    'the ledger has as paid of them',
  )
  addAll(line, 'left', await sumInFiles(db, month))
  addAll(line, 'right', await sumPaidByFile(db, month))
  for (const { about, minor, currency } of await findFiledElsewhere(db, month, pageRows))
    line.differ(`withdrawal ${about}`, `${formatMinor(Number(minor))} ${currency} is not in both`)
  return line.end()
}

export const checkPartners = async (books: Books): Promise<Line[]> => [
  await checkEarnings(books),
  await checkLedger(books),
  await checkWithdrawals(books),
  await checkPayouts(books),
]
