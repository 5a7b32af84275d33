import type { CommissionData as AccountsCommission } from '@hedgerow/contract/account-data'
import type { CommissionData } from '@hedgerow/documents/commission-pdf'
import { commissionNumber } from '@hedgerow/domain/commissions'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import type { CommissionDocument } from '#partners/commissions/documents.queries.ts'
import { sterlingOf } from '#sales/invoices/invoices.present.ts'
import { presentSums } from '#sales/invoices/invoices-of-customer.ts'

/** What is printed, of what was kept. */
export const presentDocument = ({
  year,
  number,
  issued_at,
  snapshot,
}: CommissionDocument): CommissionData => {
  const { kind, issuer, partner, paidAt, reference, currency, vatRate, sterling } = snapshot
  return {
    kind: 'commission',
    is: kind,
    issuer,
    made: issued_at,
    number: commissionNumber(year, number),
    issued: formatUkTime(issued_at),
    partner,
    paid: formatUkTime(new Date(paidAt)),
    ...(reference ? { reference } : {}),
    net: formatMoney(snapshot.netMinor, currency),
    vat: formatMoney(snapshot.vatMinor, currency),
    vatRate,
    total: formatMoney(snapshot.totalMinor, currency),
    ...(sterling && kind !== 'statement' ? { sterling: sterlingOf(sterling, currency) } : {}),
  }
}

/** All that it says, for the file with all data of its partner. */
export const presentDocumentData = ({
  withdrawal_id,
  year,
  number,
  issued_at,
  snapshot,
}: CommissionDocument): AccountsCommission => {
  const { kind, issuer, partner, paidAt, reference, currency, vatRate, sterling } = snapshot
  return {
    withdrawalId: withdrawal_id,
    number: commissionNumber(year, number),
    issuedAt: issued_at.toISOString(),
    kind,
    partner: { ...partner, address: [...partner.address] },
    paidAt,
    ...(reference ? { reference } : {}),
    currency,
    ...presentSums(snapshot),
    vatRate,
    ...(sterling
      ? { sterling: { ...presentSums(sterling), rateMicro: sterling.rateMicro, rateDay: sterling.rateDay } }
      : {}),
    issuer: { ...issuer },
  }
}
