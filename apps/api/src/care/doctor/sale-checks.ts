import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem } from '#platform/doctor/finding.ts'

type Attempt = { status: PaymentStatus; customer_id: string | null; created_at: Date }

/** One that ends without the bank's word is hardly the customer's fault; banks decline many. */
const MOST_ERRORS = 3
const MOST_DECLINED = 5
const LEAST_CUSTOMERS = 4

const SINCE_HOURS = 24
const LAST = 50

/** What the last attempts say, the newest first: also where there are ten sales a day. */
export const salesFinding = (attempts: readonly Attempt[]): Finding => {
  const [newest] = attempts
  if (!newest) return ok(`nobody tried to pay in ${SINCE_HOURS} hours`)
  const paid = attempts.findIndex(({ status }) => status === 'Success')
  const failed = paid < 0 ? attempts : attempts.slice(0, paid)
  const errors = failed.filter(({ status }) => status === 'Error').length
  const customers = new Set(failed.map(({ customer_id }) => customer_id)).size
  // One stranger alone wakes nobody.
  const isDown =
    (errors >= MOST_ERRORS && customers > 1) ||
    (failed.length >= MOST_DECLINED && customers >= LEAST_CUSTOMERS)
  if (!isDown) return ok('customers who try to pay can')
  const since = failed.at(-1)?.created_at ?? newest.created_at
  return problem(
    `none of the last ${failed.length} payments succeeded, since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    'See why in payment list --status Error, and what check gateway says; then buy something yourself.',
  )
}

export const saleChecks: readonly Check[] = [
  {
    name: 'sales',
    isWatched: true,
    look: async ({ db }) =>
      salesFinding(
        await db
          .selectFrom('payments')
          .select(['status', 'customer_id', 'created_at'])
          .where('status', 'in', ['Success', 'Decline', 'Error'])
          .where('created_at', '>', new Date(Date.now() - SINCE_HOURS * 3_600_000))
          .orderBy('created_at', 'desc')
          .limit(LAST)
          .execute(),
      ),
  },
]
