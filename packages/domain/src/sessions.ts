/** A session ends when it was not used for so long. */
export const SESSION_IDLE_DAYS = 30

/** And then whatever happens. */
export const SESSION_LONGEST_DAYS = 180

/** What moves money or keys, or changes who gets in, asks again who it is when that was last proved longer ago. */
export const PROOF_MINUTES = 15
