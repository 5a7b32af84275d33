import { countNewEnquiries } from '#enquiries/enquiries-metrics.queries.ts'
import { countAskedWithdrawals } from '#partnership/withdrawals-metrics.queries.ts'
import { tellMatter, type Waiting } from '#payments/matters.queries.ts'
import { source } from './read-at-scrape.ts'

const NONE: Waiting = { count: 0, oldest_seconds: 0 }

/** Everything that waits until the operator does something, whichever slice it belongs to. */
export const waitingSource = source({
  families: {
    hedgerow_waiting_for_operator: { help: 'What waits for the operator', labelNames: ['what'] },
    hedgerow_waiting_for_operator_oldest_seconds: {
      help: 'How long the first of it has waited',
      labelNames: ['what'],
    },
  },
  read: async (db) => {
    const enquiries = await countNewEnquiries(db)
    const withdrawals = await countAskedWithdrawals(db)
    const waiting: Record<string, Waiting> = {
      support: enquiries.find(({ kind }) => kind === 'support') ?? NONE,
      applications: enquiries.find(({ kind }) => kind === 'application') ?? NONE,
      withdrawals: withdrawals ?? NONE,
      refunds_by_hand: await tellMatter(db, 'refund-by-hand'),
      refunds_refused: await tellMatter(db, 'refund-refused'),
    }
    const each = (measured: (one: Waiting) => number) =>
      Object.entries(waiting).map(([what, one]) => ({ labels: { what }, value: measured(one) }))
    return {
      hedgerow_waiting_for_operator: each(({ count }) => count),
      hedgerow_waiting_for_operator_oldest_seconds: each(({ oldest_seconds }) => oldest_seconds),
    }
  },
})
