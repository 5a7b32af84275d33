import { maskPan } from '@hedgerow/domain/cards'
import type { OperationKind, Sum } from '@hedgerow/domain/settlement'
import type { OperationStatus } from '#money/gateway/operation-words.ts'

/** A booking as the gateway reports it, when it is asked or in a file. What is undefined was not reported, and stays. */
export type ReportedOperation = {
  id: string
  /** The gateway's id of what it was booked for, where bookings have ids of their own. */
  source?: string | undefined
  /**
   * The gateway's id of the sale that it belongs to, of an account that other shops may use as well: it leads to the payment, or is
   * theirs. `paymentId` is then what the gateway was told, by whomever.
   */
  saleId?: string | undefined
  kind: OperationKind
  /** The gateway's own word for it. */
  type: string
  status: OperationStatus
  paymentId: string | null
  /** Signed as it changes the balance. */
  initial: Sum
  booked: Sum | undefined
  /** What was taken for it; negative where it was given back. */
  feeMinor: number | undefined
  method: string | undefined
  panMasked: string | undefined
  arn: string | undefined
  rrn: string | undefined
  completedAt: Date
  /** Of the card, in two letters. */
  bankCountry: string | undefined
  eci: string | undefined
}

export type ReadOperation =
  | { kind: 'operation'; operation: ReportedOperation }
  /** It moves no money, or is another project's. */
  | { kind: 'left-out' }
  | { kind: 'unreadable'; id: string | undefined; why: string }

const LONGEST_ID = 100
const LONGEST_WORD = 100

/** Whether it can name one operation: in one line, without what is not seen or cannot be stored. */
export const isOperationId = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_ID && !/[\p{Cc}\p{Cs}]/u.test(text)

/** As it may be kept, on one line. */
export const kept = (text: string | undefined): string | undefined =>
  text
    ?.toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORD) || undefined

const MASKED = /^(\d{6})\d{0,2}[*xX•.]+(\d{4})$/

/** First six and last four digits, whatever came: nothing where it is no card's number. */
export const maskedPan = (text: string | undefined): string | undefined => {
  const number = text?.replace(/[\s-]/g, '') ?? ''
  if (/^\d{13,19}$/.test(number)) return maskPan(number)
  const [, first, last] = MASKED.exec(number) ?? []
  return first && last ? `${first}******${last}` : undefined
}

/** An ARN or RRN: letters and digits, and never a card's number in its place. */
export const reference = (text: string | undefined): string | undefined => {
  const plain = text?.trim() ?? ''
  return /^[A-Za-z0-9]{6,12}$|^\d{23}$/.test(plain) ? plain : undefined
}

export const countryCode = (text: string | undefined): string | undefined => {
  const code = text?.trim().toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? code : undefined
}

/** Money that the gateway sends to a customer is no payout to the bank: only the gateway knows of it. */
export const withoutCustomersPayout = (operation: ReportedOperation): ReportedOperation =>
  operation.kind === 'payout' && operation.paymentId !== null
    ? { ...operation, kind: 'correction' }
    : operation
