import { formatMinorOf } from './exchange.ts'
import { addDays } from './periods.ts'
import type { Sum } from './settlement.ts'

/** The accounts of the journal, by the names that hledger knows the kinds of. Which codes they are is the accountant's to say. */
export const JOURNAL_ACCOUNTS = {
  /** What customers paid, or got back, until the gateway has booked it. */
  awaited: 'assets:gateway:awaited',
  balance: 'assets:gateway:balance',
  /** Kept back by the gateway as a security: still the shop's. */
  reserve: 'assets:gateway:reserve',
  /** Of others who share the account. */
  otherShops: 'assets:gateway:other shops',
  bank: 'assets:bank',
  deferred: 'liabilities:deferred income',
  vat: 'liabilities:vat:united kingdom',
  oss: 'liabilities:vat:one stop shop',
  /** On self-billed invoices: ours to reclaim. */
  inputVat: 'assets:vat:self-billed',
  partners: 'liabilities:partners',
  /** Money that bought nothing. */
  owedBack: 'liabilities:to be refunded',
  sales: 'income:sales',
  fees: 'expenses:gateway fees',
  corrections: 'expenses:gateway corrections',
  commissions: 'expenses:partners commissions',
  badDebts: 'expenses:bad debts',
  exchange: 'income:exchange differences',
} as const
export type JournalAccount = keyof typeof JOURNAL_ACCOUNTS

/** `poundsMinor`: what it counts for in pounds; null where no rate is known, and all of its entry is in one currency. */
export type Posting = { account: JournalAccount; sum: Sum; poundsMinor: number | null }

/** What leads to the rows of other exports. */
export const JOURNAL_REFERENCES = [
  'paymentId',
  'orderId',
  'invoice',
  'creditNote',
  'refundId',
  'operationId',
  'withdrawalId',
  'commission',
] as const
export type JournalReferences = Partial<Record<(typeof JOURNAL_REFERENCES)[number], string | null>>

/** One entry of a double-entry journal, on a day of London. */
export type JournalEntry = {
  day: string
  what: string
  references: JournalReferences
  postings: readonly Posting[]
}

export const inPoundsAlone = (account: JournalAccount, poundsMinor: number): Posting => ({
  account,
  sum: { minor: poundsMinor, currency: 'GBP' },
  poundsMinor,
})

/** With what the pounds of its postings differ by, which is gained or lost by exchange; without postings of nothing. */
export const balanced = (postings: readonly Posting[]): Posting[] => {
  const moved = postings.filter(({ sum, poundsMinor }) => sum.minor !== 0 || poundsMinor)
  const off = moved.reduce((all, { poundsMinor }) => all + (poundsMinor ?? 0), 0)
  return off === 0 ? moved : [...moved, inPoundsAlone('exchange', -off)]
}

/** Of a longer time than this the net is income by the day, and until then deferred: plans of 365 days and without an end. */
const DEFERRED_FROM_DAYS = 365
/** A plan without an end is spread over five years: law names no length, and the accountant may choose another. */
export const ENDLESS_DAYS = 1_825

/** Over how many days the net of a sale becomes income; undefined where at once. `days`: null is without an end. */
export const daysDeferred = (days: number | null): number | undefined => {
  if (days === null) return ENDLESS_DAYS
  return days >= DEFERRED_FROM_DAYS ? days : undefined
}

export type DeferredSale = {
  day: string
  days: number
  netMinor: number
  /** What credit notes took off, in the order of their days. */
  credits: readonly { day: string; netMinor: number }[]
}

/**
 * What of a deferred sale is released on each of its days, and what each credit note takes of what was still deferred: the
 * rest evenly over the days left, so that nothing is left after the last one. Of a credit note the rest is income taken back.
 */
export const releaseOf = ({ day, days, netMinor, credits }: DeferredSale) => {
  const released = new Map<string, number>()
  const taken: number[] = []
  let [left, next] = [netMinor, 0]
  for (let at = 0; at < days; at++) {
    const today = addDays(day, at)
    for (; next < credits.length && (credits[next]?.day ?? '') <= today; next++) {
      const part = Math.min(left, credits[next]?.netMinor ?? 0)
      taken.push(part)
      left -= part
    }
    if (left === 0) break
    const part = Math.round(left / (days - at))
    released.set(today, part)
    left -= part
  }
  for (; next < credits.length; next++) taken.push(0)
  return { released, taken }
}

const decimal = ({ minor, currency }: Sum) => `${formatMinorOf(minor, currency)} ${currency}`

const hledgerPosting = ({ account, sum, poundsMinor }: Posting): string => {
  const cost =
    sum.currency === 'GBP' || poundsMinor === null
      ? ''
      : ` @@ ${decimal({ minor: Math.abs(poundsMinor), currency: 'GBP' })}`
  return `    ${JOURNAL_ACCOUNTS[account]}  ${decimal(sum)}${cost}\n`
}

/** What stands before the entries: hledger's checks of names want the accounts declared. */
export const hledgerHead = (): string =>
  `${Object.values(JOURNAL_ACCOUNTS)
    .map((account) => `account ${account}\n`)
    .join('')}\n`

/** As hledger and ledger read it; the ids are tags. Nothing in it was typed by customers. */
export const hledgerEntry = ({ day, what, references, postings }: JournalEntry): string => {
  const tags = JOURNAL_REFERENCES.flatMap((name) => (references[name] ? [`${name}:${references[name]}`] : []))
  return `${day} ${what}${tags.length > 0 ? `  ; ${tags.join(', ')}` : ''}\n${postings.map(hledgerPosting).join('')}\n`
}
