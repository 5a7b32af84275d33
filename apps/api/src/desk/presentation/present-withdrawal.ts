import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import type { LeftOut } from '#partners/payout-files/payouts.service.ts'
import type { WithdrawalFacts } from '#partners/withdrawals/withdrawals.service.ts'

export const sumOf = ({ amount_minor, currency }: Pick<WithdrawalFacts, 'amount_minor' | 'currency'>) =>
  formatMoney(amount_minor, currency)

export const partnerOf = ({ email }: WithdrawalFacts) => email ?? '(account deleted)'

export const presentWithdrawal = (row: WithdrawalFacts) => ({
  id: row.id,
  partner: row.email,
  amount: formatMinor(row.amount_minor),
  currency: row.currency,
  method: row.method,
  endsWith: row.ends_with,
  status: row.status,
  reason: row.reason,
  reference: row.reference,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  /** The file for the bank that it stands in, and what it is called there. */
  batch: row.batch_id,
  payoutReference: row.payout_reference,
  /** What refunds want back of the partner in this currency, and the account does not hold. */
  owing: formatMinor(row.owing_minor),
})

export const standing = ({ status, ended_at }: Pick<WithdrawalFacts, 'status' | 'ended_at'>) =>
  ended_at ? `${status} on ${formatDateTime(ended_at)}` : status

/** What later refunds want back, as the account did not hold it any more; nothing where nothing is owed. */
export const owingText = (owing: number, { amount_minor, currency }: WithdrawalFacts): string =>
  `The partner owes ${formatMoney(owing, currency)} back because of refunds, which the partner account does not cover${owing >= amount_minor ? ': as much as this withdrawal, or more' : ''}`

/** Why a withdrawal is not in a file. */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOut['why'], string>> = {
  'needs-iban': 'a SEPA file needs an IBAN',
  'outside-sepa': 'its IBAN is of a country outside SEPA',
  'foreign-account': 'its IBAN is of no British account',
  'unwritable-name': 'the holder’s name has no letter that the file can carry',
  unreadable: 'its bank details cannot be opened: refuse it, and the partner can ask again',
  owes: 'the partner owes money back because of refunds',
}
