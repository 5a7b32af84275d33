/** How giving money back stands. */
export const REFUND_STATUSES = ['Pending', 'Success', 'Decline'] as const

export type RefundStatus = (typeof REFUND_STATUSES)[number]

/**
 * Whether a refund may go from one status to another. What has gone back stays back; a success after a decline is the
 * truth, because money has moved.
 */
export const canTransitionRefund = (from: RefundStatus, to: RefundStatus): boolean =>
  from !== to && to !== 'Pending' && from !== 'Success'
