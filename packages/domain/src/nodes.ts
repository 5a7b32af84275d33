/** A node is up if its agent has asked within so many seconds. An agent asks at least every 30. */
export const UP_WITHIN_S = 90

/** So long an address rests: what was sent to the one who had it no longer reaches the one who gets it. */
export const ADDRESS_REST_DAYS = 7

/** A connection's old keys work until its new ones are first used, at most so long. */
export const REPLACED_LIVES_HOURS = 24

/** So long after its end a connection can be extended; then it is deleted, with its keys. */
export const ENDED_KEPT_DAYS = 30
