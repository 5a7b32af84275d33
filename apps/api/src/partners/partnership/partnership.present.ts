import type { Partnership } from '@hedgerow/contract/partnership'
import { CURRENCY_CODES, toMajor } from '@hedgerow/domain/money'
import { levelAfter, levelFor, MINIMUM_WITHDRAWAL } from '@hedgerow/domain/partnership'
import type { BalanceRow } from '#partners/ledger/ledger.queries.ts'
import type { PartnerRow } from '#partners/partnership/partnership.queries.ts'
import type { PartnerSettings } from '#platform/settings.ts'

const presentBalance = (
  currency: (typeof CURRENCY_CODES)[number],
  row: BalanceRow | undefined,
): Partnership['balances'][number] => ({
  currency,
  available: toMajor(Number(row?.available_minor ?? 0)),
  pending: toMajor(Number(row?.pending_minor ?? 0)),
  requested: toMajor(Number(row?.requested_minor ?? 0)),
  paid: toMajor(Number(row?.paid_minor ?? 0)),
})

export const presentPartnership = (
  row: PartnerRow,
  balances: readonly BalanceRow[],
  { publicUrl, partnerHoldDays, partnerMinimumSpend }: PartnerSettings,
): Partnership => {
  const { transactions, settled } = row
  const { level, percentage } = levelFor(settled)
  const next = levelAfter(settled)
  return {
    level,
    usedPromocodes: row.promocode_uses,
    crossings: row.referral_visits,
    percentage,
    balances: CURRENCY_CODES.map((code) =>
      presentBalance(
        code,
        balances.find(({ currency }) => currency === code),
      ),
    ),
    minimumWithdrawal: MINIMUM_WITHDRAWAL,
    minimumSpend: toMajor(partnerMinimumSpend),
    holdDays: partnerHoldDays,
    promocode: row.promocode,
    referralLink: `${publicUrl}/?ref=${row.promocode}`,
    transactions: settled,
    pendingTransactions: transactions - settled,
    ...(next ? { nextLevel: { ...next } } : {}),
  }
}
