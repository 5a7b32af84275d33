import { isReasonCode, type ToldStatus } from '@hedgerow/domain/dispute-status'
import type { Chargeback } from '#money/gateway/chargeback.ts'

/** What is not one of these words is under way: nothing ends by a word that we do not know. */
const ENDS = new Map<string, ToldStatus>([
  ['won', 'won'],
  ['reversed', 'won'],
  ['cancelled', 'won'],
  ['lost', 'lost'],
  ['accepted', 'lost'],
])

type Item = Record<string, unknown>

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LONGEST_WORD = 60

const wordOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.length > 0 && text.length <= LONGEST_WORD && !/\p{C}/u.test(text)
    ? text
    : undefined
}

const dateOf = (value: unknown): Date | undefined => {
  const date = new Date(wordOf(value) ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The sum in the currency of the payment: what was charged, not what it was converted to. */
const sumOf = ({ sum_initial: sum }: Item): { amountMinor: number; currency: string } | undefined => {
  if (!isItem(sum) || typeof sum.currency !== 'string' || !/^[A-Z]{3}$/.test(sum.currency)) return undefined
  const amountMinor = Number(sum.amount)
  return Number.isSafeInteger(amountMinor) && amountMinor > 0
    ? { amountMinor, currency: sum.currency }
    : undefined
}

/** The id of an entry that cannot be read; undefined where it has none either. */
export const gateIdOf = (item: unknown): string | undefined =>
  isItem(item) ? wordOf(item.chargeback_id) : undefined

/** Undefined: it is not as the gateway is known to tell it. */
export const readChargeback = (item: unknown): Chargeback | undefined => {
  if (!isItem(item)) return undefined
  const gateId = gateIdOf(item)
  const paymentId = wordOf(item.payment_id)
  const gateStatus = wordOf(item.status)
  const sum = sumOf(item)
  if (!gateId || !paymentId || !gateStatus || !sum) return undefined
  const reason = wordOf(item.reason_code)
  return {
    gateId,
    paymentId,
    ...sum,
    reason: reason !== undefined && isReasonCode(reason) ? reason : undefined,
    gateStatus,
    status: ENDS.get(gateStatus.toLowerCase()) ?? 'open',
    openedAt: dateOf(item.chb_created_at),
  }
}
