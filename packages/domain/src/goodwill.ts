/** Why days are given, in the words of who gives them. */
export const GOODWILL_CAUSES = {
  outage: 'An outage',
  trouble: 'Trouble setting it up',
  mistake: 'Our mistake',
  other: 'Goodwill',
} as const
export type GoodwillCause = keyof typeof GOODWILL_CAUSES

/** Days that a connection may be given within 30 days: by anyone who may give some, and by those who may give more. */
export const GOODWILL_A_MONTH = { some: 7, more: 31 } as const
/** And within a year, by all of them. */
const GOODWILL_A_YEAR = 62

/** The same number of days within so many hours is taken for a repeat. */
export const SAME_GOODWILL_HOURS = 24

type Given = { ofMonth: number; ofYear: number }

/** How many days the connection may still be given. */
export const goodwillLeft = ({ ofMonth, ofYear }: Given, mayMore: boolean): number =>
  Math.max(
    0,
    Math.min((mayMore ? GOODWILL_A_MONTH.more : GOODWILL_A_MONTH.some) - ofMonth, GOODWILL_A_YEAR - ofYear),
  )
