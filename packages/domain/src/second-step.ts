/** A customer who has lost the second step waits so long until it ends: time for its owner to see a mail and say no. */
export const WAY_BACK_DAYS = 7

/** And is mailed once more so long before. */
export const WAY_BACK_WARNING_DAYS = 1

/** An authenticator app of which no code was typed by then is begun anew. */
export const SET_UP_MINUTES = 15

export const RECOVERY_CODES = 10

/** With so many left, or fewer, their owner is asked to make new ones. */
export const FEW_RECOVERY_CODES = 3
