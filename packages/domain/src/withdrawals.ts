import { MINIMUM_WITHDRAWAL } from './partnership.ts'

/** How a withdrawal stands. */
export const WITHDRAWAL_STATUSES = ['requested', 'paid', 'refused'] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** The same as MINIMUM_WITHDRAWAL, in minor units. */
export const MINIMUM_WITHDRAWAL_MINOR = MINIMUM_WITHDRAWAL * 100

/** How long bank details stay after a withdrawal has ended, in case the money comes back. */
export const DETAILS_KEPT_DAYS = 90
