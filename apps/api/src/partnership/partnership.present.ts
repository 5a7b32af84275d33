import type { Partnership } from '@hedgerow/contract/partnership'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { levelAfter, levelFor, MINIMUM_WITHDRAWAL } from '@hedgerow/domain/partnership'
import type { PartnerRow } from './partnership.queries.ts'

/**
 * Earnings are entries of a ledger, and promocodes are entered at the checkout (product, Partnership). This shop has
 * neither yet: no purchase credits anybody or names a code, so that each of these sums is over nothing.
 */
const NOTHING_CREDITED = 0

export const presentPartnership = (row: PartnerRow, publicUrl: string): Partnership => {
  const transactions = Number(row.transactions)
  const { level, percentage } = levelFor(transactions)
  const next = levelAfter(transactions)
  return {
    level,
    usedPromocodes: NOTHING_CREDITED,
    crossings: row.crossings,
    percentage,
    balances: CURRENCY_CODES.map((currency) => ({
      currency,
      available: NOTHING_CREDITED,
      pending: NOTHING_CREDITED,
    })),
    minimumWithdrawal: MINIMUM_WITHDRAWAL,
    promocode: row.promocode,
    referralLink: `${publicUrl}/?ref=${row.promocode}`,
    transactions,
    ...(next ? { nextLevel: { ...next } } : {}),
  }
}
