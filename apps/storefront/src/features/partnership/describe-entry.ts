import type { StatementEntry, Withdrawal } from '@hedgerow/contract/partnership'
import { formatLocalDay } from '@hedgerow/domain/dates'
import type { LedgerAccount } from '@hedgerow/domain/ledger'
import { formatAmount } from '#shared/format-amount.ts'

const SOURCES = { promocode: 'promocode', referral: 'link' } as const

type EntryText = { title: string; detail?: string }

const earned = ({ earning }: StatementEntry): EntryText =>
  earning
    ? {
        title: `Earned by your ${SOURCES[earning.source]}, ${earning.percentage}% at level ${earning.level}`,
        detail: `Held until ${formatLocalDay(new Date(earning.availableAt))}`,
      }
    : { title: 'Earned' }

/** What happened, in plain words. `withdrawal` is the one that the entry belongs to, as far as it is known here. */
export const describeEntry = (entry: StatementEntry, withdrawal: Withdrawal | undefined): EntryText => {
  const account = withdrawal && `…${withdrawal.endsWith}`
  switch (entry.kind) {
    case 'earned':
      return earned(entry)
    case 'matured':
      return { title: 'Available now' }
    case 'reversed':
      return {
        title: entry.earning?.isOwnCard
          ? 'Taken back: paid with a card you use'
          : 'Taken back: the payment was refunded',
      }
    case 'restored':
      return { title: 'Credited again: the payment’s money came back' }
    case 'requested':
      return account ? { title: 'Requested', detail: `To be paid to ${account}` } : { title: 'Requested' }
    case 'paid':
      return { title: account ? `Paid to ${account}` : 'Paid' }
    case 'refused':
      return {
        title: withdrawal?.reason ? `Refused: ${withdrawal.reason}` : 'Refused',
        detail: 'Available again',
      }
    case 'given-up':
      return { title: 'Given up' }
  }
}

/** As the table of the partner account names them. The shop's own side is not shown. */
const ACCOUNTS: Record<LedgerAccount, string> = {
  shop: '',
  pending: 'Pending',
  available: 'Available',
  requested: 'Requested',
  paid: 'Paid',
}

/** 'To Pending', 'Pending → Available', 'From Available'. */
export const entryRoute = ({ from, to }: StatementEntry): string => {
  if (from === 'shop') return `To ${ACCOUNTS[to]}`
  return to === 'shop' ? `From ${ACCOUNTS[from]}` : `${ACCOUNTS[from]} → ${ACCOUNTS[to]}`
}

const OWN = ['pending', 'available']

/** '+£4.51' for what comes to the partner, '−£4.51' for what leaves; without a sign where it only becomes free, or is paid. */
export const entryAmount = ({ from, to, amount, currency }: StatementEntry): string => {
  const money = formatAmount(amount, currency)
  const [left, came] = [OWN.includes(from), OWN.includes(to)]
  if (left === came) return money
  return came ? `+${money}` : `−${money}`
}
