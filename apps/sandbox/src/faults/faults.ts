export const SALE_FAULTS = ['none', '500', 'hang', 'drop-before-accept', 'drop-after-accept'] as const
export type SaleFault = (typeof SALE_FAULTS)[number]

export const CALLBACK_FORMATS = ['merchant', 'general-signature', 'terminal'] as const
export type CallbackFormat = (typeof CALLBACK_FORMATS)[number]

/** How many of its kind a fault strikes, from 0 to 1; true means all, false means none. */
export type Share = boolean | number

/** What can be made to go wrong. Everything is off at the start and nothing is kept over a restart. */
export type Faults = {
  /** The same seed strikes the same payments in the same way; null leaves it to chance. */
  seed: string | null

  /** How long after an accepted request its outcome comes. */
  callbackDelayMs: number | null
  callbackFormat: CallbackFormat | 'mixed'
  dropCallbacks: Share
  duplicateCallbacks: number
  /** The share of callbacks that duplicateCallbacks strikes. */
  duplicateRate: Share
  lateCallbacks: Share
  lateFromMs: number
  lateToMs: number
  reorderCallbacks: Share
  forgeCallbacks: Share
  wrongSums: Share

  failSales: SaleFault
  /** The share of sales that failSales strikes. */
  failRate: Share
  /** Of all calls, sales included. */
  failCalls: Share
  hangCalls: Share
  /** Of questions how a payment stands; the other calls are answered. */
  hangStatus: Share
  dropCallsBeforeAccept: Share
  dropCallsAfterAccept: Share

  /** Of payments: their status is not to be had (3062) for a while after each change. */
  hideStatus: Share
  hideStatusMs: number
  secondChallenge: Share

  /** Of payments: how they end instead, without money. */
  endExpired: Share
  endCancelled: Share
  endWithInternalError: Share
  endWithExternalError: Share
  endReversed: Share
  /** Of those that would succeed: another sum or currency comes; a part of it, by another name. */
  payOtherSums: Share
  endPartlyPaid: Share
  /** Of those that would succeed: the money is promised first; and of the promised, it never comes. */
  confirmLater: Share
  confirmNever: Share
  /** How long after the promise; null: as any outcome. */
  confirmAfterMs: number | null
}

export type ShareName = {
  [Key in keyof Faults]: Faults[Key] extends Share ? (Share extends Faults[Key] ? Key : never) : never
}[keyof Faults]

export const NO_FAULTS: Readonly<Faults> = {
  seed: null,
  callbackDelayMs: null,
  callbackFormat: 'merchant',
  dropCallbacks: false,
  duplicateCallbacks: 0,
  duplicateRate: 1,
  lateCallbacks: 0,
  lateFromMs: 1_000,
  lateToMs: 10_000,
  reorderCallbacks: false,
  forgeCallbacks: false,
  wrongSums: 0,
  failSales: 'none',
  failRate: 1,
  failCalls: 0,
  hangCalls: 0,
  hangStatus: 0,
  dropCallsBeforeAccept: 0,
  dropCallsAfterAccept: 0,
  hideStatus: 0,
  hideStatusMs: 2_000,
  secondChallenge: false,
  endExpired: 0,
  endCancelled: 0,
  endWithInternalError: 0,
  endWithExternalError: 0,
  endReversed: 0,
  payOtherSums: 0,
  endPartlyPaid: 0,
  confirmLater: 0,
  confirmNever: 0,
  confirmAfterMs: null,
}

type Checks = { [Key in keyof Faults]: (value: unknown) => boolean }

const MOST_MS = 600_000

const isWhole = (max: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
const isMs = isWhole(MOST_MS)
const isShare = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'number' && value >= 0 && value <= 1)

const CHECKS: Checks = {
  seed: (value) => value === null || (typeof value === 'string' && value !== '' && value.length <= 100),
  callbackDelayMs: (value) => value === null || isMs(value),
  callbackFormat: (value) => value === 'mixed' || CALLBACK_FORMATS.includes(value as CallbackFormat),
  dropCallbacks: isShare,
  duplicateCallbacks: isWhole(10),
  duplicateRate: isShare,
  lateCallbacks: isShare,
  lateFromMs: isMs,
  lateToMs: isMs,
  reorderCallbacks: isShare,
  forgeCallbacks: isShare,
  wrongSums: isShare,
  failSales: (value) => SALE_FAULTS.includes(value as SaleFault),
  failRate: isShare,
  failCalls: isShare,
  hangCalls: isShare,
  hangStatus: isShare,
  dropCallsBeforeAccept: isShare,
  dropCallsAfterAccept: isShare,
  hideStatus: isShare,
  hideStatusMs: isMs,
  secondChallenge: isShare,
  endExpired: isShare,
  endCancelled: isShare,
  endWithInternalError: isShare,
  endWithExternalError: isShare,
  endReversed: isShare,
  payOtherSums: isShare,
  endPartlyPaid: isShare,
  confirmLater: isShare,
  confirmNever: isShare,
  confirmAfterMs: (value) => value === null || isMs(value),
}

/** Takes over what is named and leaves the rest; returns the name of a wrong one and then changes nothing. */
export const changeFaults = (faults: Faults, changes: object): string | undefined => {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(CHECKS, name) || !CHECKS[name as keyof Faults](value)) return name
  }
  const { lateFromMs, lateToMs } = { ...faults, ...changes }
  if (lateFromMs > lateToMs) return 'lateToMs'
  Object.assign(faults, changes)
  return undefined
}

/** What is empty on the page means its opposite of a number: nothing set. */
const MAY_BE_EMPTY = new Set(['seed', 'callbackDelayMs', 'confirmAfterMs'])
const AS_TEXT = new Set(['seed', 'callbackFormat', 'failSales'])

/** The same from the front page, where everything is text. */
export const faultsFromForm = (form: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(form).map(([name, given]) => {
      const text = typeof given === 'string' ? given : ''
      if (text === '' && MAY_BE_EMPTY.has(name)) return [name, null]
      return [name, AS_TEXT.has(name) ? text : Number(text || Number.NaN)]
    }),
  )

/** As a number, to be compared with a draw. */
export const shareOf = (share: Share): number => Number(share)
