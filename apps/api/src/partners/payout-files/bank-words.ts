/** What a bank says of one transfer. 'unclear': it neither says that it was paid nor that it was not. */
export type Outcome = 'paid' | 'rejected' | 'pending' | 'unclear'

export type BankWord = {
  /** Where it stands in the file, for people: 'line 3', 'transaction 2'. */
  at: string
  /** Of one of our transfers, or of all that stand in one of our files. */
  about: { reference: string } | { batch: string }
  outcome: Outcome
  /** As far as the bank tells: minor units, never negative. */
  amountMinor?: number
  /** ISO 4217. */
  currency?: string
  /** What the bank itself calls the transfer. */
  bankReference?: string
  /** The ISO code for why it was not paid. */
  code?: string
}

/** What a file says: our transfers, and how many rows are not about any of ours. */
export type BankFile = { words: BankWord[]; others: number }

/** The file cannot be read as what it should be; its text is shown as it is. */
export class BankFileFault extends Error {
  override name = 'BankFileFault'
}

/** Of ISO 20022's external payment transaction statuses. Accepted is not yet paid. */
const ISO: Readonly<Record<string, Outcome>> = {
  ACSC: 'paid',
  ACCC: 'paid',
  RJCT: 'rejected',
  CANC: 'rejected',
  ACCP: 'pending',
  ACFC: 'pending',
  ACSP: 'pending',
  ACTC: 'pending',
  ACWC: 'pending',
  ACWP: 'pending',
  RCVD: 'pending',
  PDNG: 'pending',
  PATC: 'pending',
}

const WORDS: Readonly<Record<string, Outcome>> = {
  PAID: 'paid',
  COMPLETED: 'paid',
  COMPLETE: 'paid',
  SETTLED: 'paid',
  EXECUTED: 'paid',
  BOOKED: 'paid',
  SUCCESS: 'paid',
  SUCCESSFUL: 'paid',
  REJECTED: 'rejected',
  FAILED: 'rejected',
  RETURNED: 'rejected',
  REFUSED: 'rejected',
  CANCELLED: 'rejected',
  CANCELED: 'rejected',
  PENDING: 'pending',
  PROCESSING: 'pending',
  SCHEDULED: 'pending',
  ACCEPTED: 'pending',
  SENT: 'pending',
}

const known = (words: Readonly<Record<string, Outcome>>, word: string): Outcome | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

export const isoOutcome = (code: string | undefined): Outcome => known(ISO, code ?? '') ?? 'unclear'

/** A status as banks write it in lists; undefined for an unknown one. */
export const outcomeOf = (status: string): Outcome | undefined => {
  const word = status.trim().toUpperCase()
  return known(ISO, word) ?? known(WORDS, word)
}

/** Our references, wherever they stand in what a bank writes; banks may add words. */
export const referencesIn = (text: string): string[] => [
  ...new Set(text.toUpperCase().match(/\bP[2-9][A-Z0-9]{10}\b/g) ?? []),
]

export const isBatchId = (text: string): boolean => /^B[2-9][A-Z0-9]{8}$/.test(text)

const LONGEST_REFERENCE = 140

/** The bank's own reference as it may be kept, on one line. */
export const keptReference = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REFERENCE)
