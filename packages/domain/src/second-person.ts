import type { CONSEQUENCES } from './consequences.ts'
import type { Permission } from './operator-roles.ts'

type Second = Exclude<(typeof CONSEQUENCES)[keyof typeof CONSEQUENCES]['second'], 'never'>

/** What the second person has to have the right to. */
export const CONFIRMED_BY = {
  owners: 'operators.change',
  limits: 'operators.change',
  sums: 'payments.refund-large',
} as const satisfies Readonly<Record<Second, Permission>>

/**
 * In hours. What nobody has confirmed by then is asked for anew. An operator beside whom nobody could confirm it may do so
 * alone once the mail that was sent has had a day to be read.
 */
export const SECOND_PERSON_HOURS = { expires: 72, alone: 24 } as const

/**
 * Those whom an operator has let in alone within so many days are no second person for that operator, nor for each other: they
 * may be the same one.
 */
export const LET_IN_DAYS = 7

/** So many acts of one operator wait at most: each has sent a mail. */
export const MOST_WAITING = 20
