import { CURRENCY_CODES, formatMinor, formatMoney } from '@hedgerow/domain/money'
import { levelFor } from '@hedgerow/domain/partnership'
import type { PartnerFacts } from '#desk/backoffice/partner-facts.queries.ts'
import type { BalanceRow } from '#partners/partnership/partnership.service.ts'

/** What a customer is as a partner, for programs. */
export const presentPartnerSummary = ({
  promocode,
  transactions,
  promocode_uses,
  referral_visits,
}: PartnerFacts) => {
  const { level, percentage } = levelFor(transactions)
  return {
    promocode,
    level,
    percentage,
    transactions,
    promocodeUses: promocode_uses,
    crossings: referral_visits,
  }
}

const inEach = <T>(balances: readonly BalanceRow[], tell: (code: string, row?: BalanceRow) => T): T[] =>
  CURRENCY_CODES.map((code) =>
    tell(
      code,
      balances.find(({ currency }) => currency === code),
    ),
  )

const sum = (minor: string | number = 0) => formatMinor(Number(minor))

/** Sums are texts with two decimals. */
export const presentBalances = (balances: readonly BalanceRow[]) =>
  inEach(balances, (currency, row) => ({
    currency,
    pending: sum(row?.pending_minor),
    available: sum(row?.available_minor),
    requested: sum(row?.requested_minor),
    paid: sum(row?.paid_minor),
    owing: sum(row?.owing_minor),
  }))

const balanceText = (row: BalanceRow): string => {
  const money = (minor: string) => formatMoney(Number(minor), row.currency)
  const { pending_minor, available_minor, requested_minor, paid_minor, owing_minor } = row
  const owes =
    owing_minor > 0 ? `; owes ${formatMoney(owing_minor, row.currency)} back because of refunds` : ''
  return `${money(available_minor)} available, ${money(pending_minor)} pending, ${money(requested_minor)} requested, ${money(paid_minor)} paid${owes}`
}

/** For people: a line for each currency. */
export const balanceFacts = (balances: readonly BalanceRow[]): (readonly [string, string])[] =>
  inEach(balances, (code, row) => [code, row ? balanceText(row) : 'nothing yet'])
