import { SETTLED_AFTER_DAYS } from '@hedgerow/domain/cancellations'
import { HIGHEST_LEVEL_FROM, type SettledTransactions } from '@hedgerow/domain/partnership'
import { type RawBuilder, sql } from 'kysely'

type Counted = {
  /** As of when; now, if nothing is said. */
  at?: RawBuilder<unknown>
  /** Counts no further, where only the level is wanted: the oldest are read, and no more than it takes. */
  most?: number
}

/** No refund of the payment is on its way, or owed: one by hand may be for days. */
export const NOTHING_GOES_BACK = sql<boolean>`not exists (
  select from refunds where refunds.payment_id = payments.id
    and (refunds.status = 'Pending' or (refunds.status = 'Decline' and refunds.closed_at is null)))`

/**
 * How many transactions of a partner are settled: credited, free of the hold, past the right to cancel, and neither cancelled
 * nor given back, about to be, or disputed. The one count that a level comes from (product, "What can be taken back buys nothing").
 */
export const settledTransactions = (
  partnerId: RawBuilder<unknown>,
  { at = sql`now()`, most }: Counted = {},
) => sql<SettledTransactions>`(
  select count(*)::integer from (
    select from earnings join payments on payments.id = earnings.payment_id
    where earnings.partner_id = ${partnerId} and matured_at <= ${at} and not is_refunded and disputed_minor = 0
      and cancelled_at is null and ${NOTHING_GOES_BACK}
      and ended_at <= ${at} - make_interval(days => ${sql.lit(SETTLED_AFTER_DAYS)})
    order by earned_at limit ${most ?? null}::integer
  ) as settled)`

/** The same, as far as the level goes. */
export const settledForLevel = (partnerId: RawBuilder<unknown>, at?: RawBuilder<unknown>) =>
  settledTransactions(partnerId, { ...(at ? { at } : {}), most: HIGHEST_LEVEL_FROM })
