import { proportion } from './proportion.ts'

/**
 * The accounts of a partner, in each currency. Money comes from the shop, waits, is free, is asked for, and is paid;
 * what is taken back returns to the shop, and is restored where the payment's money has come back after all.
 */
export const LEDGER_ACCOUNTS = ['shop', 'pending', 'available', 'requested', 'paid'] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** Every kind of movement, and between which accounts it moves money (product, Partnership). */
export const LEDGER_POSTINGS = {
  earned: [['shop', 'pending']],
  matured: [['pending', 'available']],
  reversed: [
    ['pending', 'shop'],
    ['available', 'shop'],
  ],
  restored: [
    ['shop', 'pending'],
    ['shop', 'available'],
  ],
  requested: [['available', 'requested']],
  refused: [['requested', 'available']],
  paid: [['requested', 'paid']],
  'given-up': [
    ['pending', 'shop'],
    ['available', 'shop'],
  ],
} as const satisfies Record<string, readonly (readonly [LedgerAccount, LedgerAccount])[]>

export type LedgerKind = keyof typeof LEDGER_POSTINGS

type PostingOf<
  K,
  M extends readonly (readonly [LedgerAccount, LedgerAccount])[],
> = M extends readonly (infer Pair)[]
  ? Pair extends readonly [infer From, infer To]
    ? { kind: K; from_account: From; to_account: To }
    : never
  : never

/** A kind with accounts that it may move money between, as a transfer names them. */
export type LedgerPosting = { [K in LedgerKind]: PostingOf<K, (typeof LEDGER_POSTINGS)[K]> }[LedgerKind]

export const LEDGER_KINDS = Object.keys(LEDGER_POSTINGS) as [LedgerKind, ...LedgerKind[]]

/**
 * What of an earning has to be given back once so much of its payment was: the partner keeps the same share of what the
 * shop keeps. All in minor units; the earning's currency may be another one than the payment was charged in.
 */
export const dueBackMinor = (earnedMinor: number, chargedMinor: number, refundedMinor: number): number =>
  earnedMinor - proportion(earnedMinor, chargedMinor - refundedMinor, chargedMinor)
