import type { PaidChargeback } from '#gateway/chargebacks.ts'
import { receivedOf, saleOf } from '#payments/payment.ts'

/** As the Data API writes times: 'YYYY-MM-DD HH:MM:SS', in UTC. */
const wireTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/**
 * What both ways of telling it have in common. The gateway publishes that its notice and its Data API tell the same, and the
 * names of four fields; the others are named like those of its operations.
 */
const common = ({ payment, chargeback }: PaidChargeback, projectId: number) => ({
  chargeback_id: String(chargeback.id),
  project_id: projectId,
  payment_id: payment.id,
  operation_id: saleOf(payment).id,
  chargeback_type: chargeback.stage,
  reason_code: chargeback.reasonCode,
  sum_initial: { amount: chargeback.amount, currency: receivedOf(payment).currency },
  account_number: payment.account?.number,
  chb_created_at: `${wireTime(chargeback.createdAt)}Z`,
})

/** In the Data API. */
export const presentChargeback = (one: PaidChargeback, projectId: number) => ({
  ...common(one, projectId),
  status: one.chargeback.status,
  chb_completed_at: one.chargeback.completedAt ? `${wireTime(one.chargeback.completedAt)}Z` : null,
})

/** In the notice of the day, which names these two otherwise. */
export const presentNoticed = (one: PaidChargeback, projectId: number) => ({
  ...common(one, projectId),
  chargeback_status: one.chargeback.status,
  chargeback_finalization_date: one.chargeback.completedAt
    ? `${wireTime(one.chargeback.completedAt)}Z`
    : null,
})
