import { dayAfter, isoDay } from './dates.ts'

/** How a dispute (a chargeback) stands: while it is open, and once it is lost, the gateway has taken the money back. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost', 'reversed'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** What is won may be opened again, as pre-arbitration; what is lost may be decided for the shop after all, for good. */
const TRANSITIONS: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  open: ['won', 'lost'],
  won: ['open'],
  lost: ['reversed'],
  reversed: [],
}

export const canTransitionDispute = (from: DisputeStatus, to: DisputeStatus): boolean =>
  TRANSITIONS[from].includes(to)

/** What the gateway says of one; that money which was lost has come back, it calls won as well. */
export type ToldStatus = Exclude<DisputeStatus, 'reversed'>

/** The statuses by which a dispute comes to what the gateway says, without the first; undefined where there is no way. */
export const wayOfDispute = (from: DisputeStatus, to: ToldStatus): DisputeStatus[] | undefined => {
  if (from === to || (from === 'reversed' && to === 'won')) return []
  if (from === 'lost' && to === 'won') return ['reversed']
  if (canTransitionDispute(from, to)) return [to]
  // The next phase may be over before the shop has heard of it.
  return from === 'won' && to === 'lost' ? ['open', 'lost'] : undefined
}

/** What is owed to the tax office for money that a dispute has taken: less by a credit note, or all the same. */
export const DISPUTE_VATS = ['credit-note', 'bad-debt'] as const
export type DisputeVat = (typeof DISPUTE_VATS)[number]

export type DisputeGroup = 'fraud' | 'authorisation' | 'processing' | 'consumer'

const MASTERCARD_GROUPS: Readonly<Record<string, DisputeGroup>> = {
  '4837': 'fraud',
  '4840': 'fraud',
  '4849': 'fraud',
  '4863': 'fraud',
  '4870': 'fraud',
  '4871': 'fraud',
  '4808': 'authorisation',
  '4834': 'processing',
  '4853': 'consumer',
}

const VISA_GROUPS: Readonly<Record<string, DisputeGroup>> = {
  '10': 'fraud',
  '11': 'authorisation',
  '12': 'processing',
  '13': 'consumer',
}

/** By Visa's codes (10.4) and Mastercard's (4837); null for any other. */
export const groupOfReason = (reason: string): DisputeGroup | null => {
  const visa = /^(1[0-3])\.\d{1,2}(?:\.\d)?$/.exec(reason)?.[1]
  const groups = visa ? VISA_GROUPS : MASTERCARD_GROUPS
  const code = visa ?? reason
  return Object.hasOwn(groups, code) ? (groups[code] ?? null) : null
}

/** A reason code is a few letters, digits and dots; whatever else is said is none. */
export const isReasonCode = (text: string): boolean => /^[\w.-]{1,20}$/.test(text)

/** The gateway counts business days; which holidays it keeps is not published. */
const DAYS_TO_RESPOND = 4

const isWeekend = (at: Date): boolean => [0, 6].includes(new Date(`${isoDay(at)}T12:00Z`).getUTCDay())

/** The last moment of the fourth business day after the day of the notice, in London. */
export const respondBy = (noticed: Date): Date => {
  let left = DAYS_TO_RESPOND
  for (let days = 1; ; days++) {
    if (!isWeekend(dayAfter(noticed, days))) left -= 1
    if (left === 0) return new Date(dayAfter(noticed, days + 1).getTime() - 1)
  }
}
