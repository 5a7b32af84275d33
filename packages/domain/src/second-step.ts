import { EMAIL_UNDO_DAYS } from './email-changes.ts'

/** A customer who has lost the second step waits so long until it ends: time for its owner to see a mail and say no. */
export const WAY_BACK_DAYS = 7

/**
 * What was added to an account to log in with is on trial for so long: the mailbox takes it away again. Its owner was mailed of
 * it, and has had as long as for undoing a change of the email to do so.
 */
export const FACTOR_TRIAL_DAYS = EMAIL_UNDO_DAYS

/** And is mailed once more so long before. */
export const WAY_BACK_WARNING_DAYS = 1

/** An authenticator app of which no code was typed by then is begun anew. */
export const SET_UP_MINUTES = 15

export const RECOVERY_CODES = 10

/** With so many left, or fewer, their owner is asked to make new ones. */
export const FEW_RECOVERY_CODES = 3
