/** How giving money back stands. */
export const REFUND_STATUSES = ['Pending', 'Success', 'Decline'] as const

export type RefundStatus = (typeof REFUND_STATUSES)[number]

/**
 * Whether a refund may go from one status to another. A success after a decline is the truth, because money has moved. What
 * has gone back stays back, unless the money comes to us again: then it waits to be sent by hand.
 */
export const canTransitionRefund = (from: RefundStatus, to: RefundStatus): boolean =>
  from !== to && (from === 'Success') === (to === 'Pending')

/** A refund that was refused, and is owed. */
type Owed = { id: string; amountMinor: number }

/**
 * Which refusals another refund stands in for: the one of its sum; else as many of them as it covers, the oldest first.
 * No more is taken for settled than the other gives back.
 */
export const replacedBy = (refused: readonly Owed[], amountMinor: number): string[] => {
  const same = refused.find((one) => one.amountMinor === amountMinor)
  if (same) return [same.id]
  let left = amountMinor
  const replaced: string[] = []
  for (const one of refused) {
    if (one.amountMinor > left) continue
    left -= one.amountMinor
    replaced.push(one.id)
  }
  return replaced
}

/** What an operator may say of a refund that does not end by itself: it went another way, never will, or is not owed. */
export const REFUND_VERDICTS = ['sent', 'failed', 'dropped'] as const

export type RefundVerdict = (typeof REFUND_VERDICTS)[number]

type Standing = {
  status: RefundStatus
  isByHand: boolean
  /** Under way for so long that it counts as stuck. */
  isStuck: boolean
  isClosed: boolean
}

/** Whether it may be said of a refund that stands so. While the gateway may be at work on it, nothing may. */
export const maySay = (
  verdict: RefundVerdict,
  { status, isByHand, isStuck, isClosed }: Standing,
): boolean => {
  const isRefused = status === 'Decline' && !isClosed
  const waitsForHand = status === 'Pending' && isByHand
  const hangs = status === 'Pending' && !isByHand && isStuck
  switch (verdict) {
    case 'sent':
      return isRefused || waitsForHand || hangs
    case 'failed':
      return hangs
    case 'dropped':
      return isRefused || waitsForHand
  }
}

/** Whether it has been said of it before. */
export const wasSaid = (verdict: RefundVerdict, { status, isByHand, isClosed }: Standing): boolean =>
  verdict === 'sent'
    ? status === 'Success' && isByHand
    : status === 'Decline' && (verdict === 'failed' || isClosed)
