import type { ListedTransfer } from '#partners/partnership/statement.ts'

const SOURCES = { promocode: 'the promocode', referral: 'the link' } as const

/** Where the money was before and after says more than the kind: what a refund takes may have been held or free. */
export const whatOf = ({ kind, from_account, source, percentage, is_own_card }: ListedTransfer): string => {
  switch (kind) {
    case 'earned':
      return source ? `earned by ${SOURCES[source]}, ${percentage}%` : 'earned'
    case 'matured':
      return 'became available'
    case 'reversed':
      if (is_own_card && from_account === 'pending') return 'taken back: paid with the partner’s own card'
      return `taken back from the ${from_account === 'pending' ? 'pending' : 'available'} balance`
    case 'restored':
      return 'credited again: the money of the payment came back'
    case 'requested':
      return 'requested'
    case 'paid':
      return 'paid'
    case 'refused':
      return 'refused; available again'
    case 'given-up':
      return 'given up with the account'
  }
}
