import type { OperationKind } from '@hedgerow/domain/settlement'

/** How gateways call what they book; what moves no money by itself is 'none'. */
const WORDS: Readonly<Record<OperationKind | 'none', readonly string[]>> = {
  sale: ['sale', 'purchase', 'payment', 'capture', 'pay in', 'recurring'],
  refund: ['refund', 'reversal', 'partial refund', 'partial reversal'],
  chargeback: ['chargeback', 'second chargeback', 'pre arbitration', 'arbitration', 'dispute'],
  representment: ['representment', 'chargeback reversal', 'chargeback representment', 'dispute won'],
  fee: [
    ...['fee', 'service fee', 'additional fee', 'transfer fee', 'settlement fee', 'surcharge fee'],
    ...['retrieval request fee', 'other service fees', 'commission', 'chargeback fee', 'refund fee'],
  ],
  payout: ['funds transfer', 'payout', 'pay out', 'settlement', 'bank transfer', 'withdrawal'],
  correction: ['balance correction', 'correction', 'adjustment'],
  reserve: ['reserve', 'rolling reserve', 'reserve hold', 'reserve held', 'holdback', 'accrued holdback'],
  release: ['reserve release', 'rolling reserve release', 'reserve released', 'holdback release'],
  exchange: ['currency exchange', 'exchange', 'conversion', 'currency conversion'],
  'other-shop': [],
  none: [
    ...['auth', 'authorisation', 'authorization', 'void', 'cancel', 'account verification'],
    ...['payment confirmation', 'confirmation', 'opening balance', 'closing balance'],
  ],
}

const plain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

const KINDS = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.map((word) => [word, kind as OperationKind | 'none'] as const),
  ),
)

/** Undefined for an unknown word. `more`: what the operator says that words mean. */
export const kindOfWord = (
  word: string,
  more: ReadonlyMap<string, OperationKind | 'none'> = new Map(),
): OperationKind | 'none' | undefined => more.get(plain(word)) ?? KINDS.get(plain(word))

export const plainWord = plain

export type OperationStatus = 'success' | 'decline' | 'pending'

const STATUSES: Readonly<Record<OperationStatus, readonly string[]>> = {
  success: ['success', 'successful', 'completed', 'complete', 'settled', 'approved', 'done', 'ok', 'paid'],
  decline: [
    ...['decline', 'declined', 'error', 'failed', 'cancelled', 'canceled', 'rejected', 'expired'],
    ...['internal error', 'external error'],
  ],
  pending: ['pending', 'processing', 'awaiting', 'in progress'],
}

export const statusOfWord = (word: string): OperationStatus | undefined => {
  const one = plain(word)
  if (one.startsWith('awaiting')) return 'pending'
  const found = Object.entries(STATUSES).find(([, words]) => words.includes(one))
  return found?.[0] as OperationStatus | undefined
}
