import type { PartnershipData } from '@hedgerow/contract/account-data'
import { isoOrNull } from '@hedgerow/domain/dates'
import { toMajor } from '@hedgerow/domain/money'
import type { BankDetails } from '@hedgerow/domain/withdrawals'
import { billingForExport } from '#partners/commissions/billing.service.ts'
import { documentsOf } from '#partners/commissions/documents.service.ts'
import { getPartnership } from '#partners/partnership/partnership.service.ts'
import { findPromocodeTerms, listEarnings, listTransfers } from '#partners/partnership/statement.queries.ts'
import { presentEntry } from '#partners/partnership/statement.ts'
import { listPayoutsOfPartner, type PartnersPayout } from '#partners/payout-files/payouts.queries.ts'
import { presentWithdrawal } from '#partners/withdrawals/withdrawals.present.ts'
import { listWithdrawalRows } from '#partners/withdrawals/withdrawals.queries.ts'
import { revealBankDetails } from '#partners/withdrawals/withdrawals.service.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { EarningRow, WithdrawalRow } from '#platform/database/tables/partnership.table.ts'
import type { With } from '#platform/dependencies.ts'
import type { PartnerSettings } from '#platform/settings.ts'

const presentEarning = (row: EarningRow): PartnershipData['earnings'][number] => ({
  source: row.source,
  level: row.level,
  percentage: row.percentage,
  currency: row.currency,
  amount: toMajor(row.amount_minor),
  dueBack: toMajor(row.due_back_minor),
  reversed: toMajor(row.reversed_minor),
  isRefunded: row.is_refunded,
  isOwnCard: row.is_own_card,
  earnedAt: row.earned_at.toISOString(),
  availableAt: row.available_at.toISOString(),
  maturedAt: isoOrNull(row.matured_at),
})

/** Null once it was deleted, and where it cannot be opened any more. */
const bankOf = (row: WithdrawalRow, keyCipher: KeyCipher): BankDetails | null => {
  const details = revealBankDetails({ keyCipher }, row)
  return details === undefined || details === 'unreadable' ? null : details
}

/** The partner's own bank account is theirs to read; this file is the only place on the web that tells it. */
const presentWithBank = (
  row: WithdrawalRow,
  cipher: KeyCipher,
  payouts: readonly PartnersPayout[],
  document: string | undefined,
): PartnershipData['withdrawals'][number] => ({
  ...presentWithdrawal(row, document),
  bankAccount: bankOf(row, cipher),
  payouts: payouts
    .filter(({ withdrawal_id }) => withdrawal_id === row.id)
    .map(({ reference, created_at, released_at, released_because }) => ({
      reference,
      createdAt: created_at.toISOString(),
      releasedAt: isoOrNull(released_at),
      releasedBecause: released_because,
    })),
})

/** All that is held of a customer as a partner, for the file with all their data. */
export const partnershipForExport = async (
  deps: With<'db' | 'keyCipher'> & {
    settings: PartnerSettings
  },
  customerId: string,
): Promise<PartnershipData> => {
  const { db, keyCipher } = deps
  const terms = await findPromocodeTerms(db, customerId)
  const withdrawals = await listWithdrawalRows(db, customerId)
  const payouts = await listPayoutsOfPartner(db, customerId)
  const documents = await documentsOf(
    db,
    withdrawals.map(({ id }) => id),
  )
  const numbers = new Map(documents.map(({ withdrawalId, number }) => [withdrawalId, number]))
  return {
    ...(await getPartnership(deps, customerId)),
    promocodeLimit: terms?.promocode_limit ?? null,
    promocodeClosedAt: isoOrNull(terms?.promocode_closed_at),
    statement: (await listTransfers(db, customerId)).map(presentEntry),
    earnings: (await listEarnings(db, customerId)).map(presentEarning),
    billing: await billingForExport({ db }, customerId),
    documents,
    withdrawals: withdrawals.map((row) => presentWithBank(row, keyCipher, payouts, numbers.get(row.id))),
  }
}
