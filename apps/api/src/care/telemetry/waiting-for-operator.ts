import { measureUnexplained } from '#accounting/settlement/settlement.service.ts'
import { measureUnreadable } from '#care/keys/keys.queries.ts'
import { measureAttentionItems, type Waiting } from '#care/telemetry/attention-items.ts'
import { countNewConversations } from '#care/telemetry/new-conversations.ts'
import { countDisputeHints, countDisputesToAnswer } from '#care/telemetry/open-disputes.ts'
import { countOpenStatements } from '#care/telemetry/open-statements.ts'
import { source } from '#care/telemetry/read-at-scrape.ts'
import { countRequestedWithdrawals } from '#care/telemetry/requested-withdrawals.ts'
import { countFailingEndpoints } from '#care/webhooks/webhooks.queries.ts'
import { countNearLimits } from '#money/disputes/scheme-months.ts'
import { measureUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { countOverdue } from '#network/connections/connections.service.ts'
import { measureRecordFaults } from '#people/operators/operator-record.ts'

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
    const conversations = await countNewConversations(db)
    const cancellations = await countOpenStatements(db)
    const withdrawals = await countRequestedWithdrawals(db)
    const disputes = await countDisputesToAnswer(db)
    const hints = await countDisputeHints(db)
    const payments = await measureAttentionItems(db, [
      'invoice-failing',
      'refund-by-hand',
      'other-sum',
      'card-testing',
      'cancelled-often',
      'refund-refused',
      'refund-stuck',
    ])
    const waiting: Record<string, Waiting> = {
      support: conversations.find(({ kind }) => kind === 'support') ?? NONE,
      applications: conversations.find(({ kind }) => kind === 'application') ?? NONE,
      cancellations: cancellations ?? NONE,
      withdrawals: withdrawals ?? NONE,
      disputes: disputes ?? NONE,
      dispute_hints: hints ?? NONE,
      dispute_limits: { ...NONE, count: await countNearLimits(db) },
      invoices_failing: payments['invoice-failing'],
      refunds_by_hand: payments['refund-by-hand'],
      other_sums: payments['other-sum'],
      unknown_payments: await measureUnknown(db),
      settlement_differs: await measureUnexplained(db),
      card_testing: payments['card-testing'],
      cancelled_often: payments['cancelled-often'],
      refunds_refused: payments['refund-refused'],
      unreadable_secrets: await measureUnreadable(db),
      record_faults: await measureRecordFaults(db),
      refunds_stuck: payments['refund-stuck'],
      keys_overdue: await countOverdue(db),
      webhooks_failing: (await countFailingEndpoints(db)) ?? NONE,
    }
    const each = (measured: (one: Waiting) => number) =>
      Object.entries(waiting).map(([what, one]) => ({ labels: { what }, value: measured(one) }))
    return {
      hedgerow_waiting_for_operator: each(({ count }) => count),
      hedgerow_waiting_for_operator_oldest_seconds: each(({ oldest_seconds }) => oldest_seconds),
    }
  },
})
