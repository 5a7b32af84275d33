import { MINIMUM_WITHDRAWAL } from './partnership.ts'

/** How a withdrawal stands. */
export const WITHDRAWAL_STATUSES = ['requested', 'paid', 'refused'] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** The same as MINIMUM_WITHDRAWAL, in minor units. */
export const MINIMUM_WITHDRAWAL_MINOR = MINIMUM_WITHDRAWAL * 100

/** How long bank details stay after a withdrawal has ended, in case the money comes back. */
export const DETAILS_KEPT_DAYS = 90

/** The longest words that the operator gives a transfer, or a refusal. */
export const REFERENCE_LONGEST = 140
export const REASON_LONGEST = 500

/** Where a partner's money goes: an IBAN, or in the United Kingdom a sort code and an account number. */
export type BankDetails = { accountHolder: string } & (
  | { iban: string }
  | { sortCode: string; accountNumber: string }
)
