import type { PartnerBilling, PartnerBillingRequest } from '@hedgerow/contract/partnership'
import { agreedUntil, readPartnersVatNumber } from '@hedgerow/domain/commissions'
import { readCompany } from '@hedgerow/domain/vat-numbers'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import {
  type BillingRow,
  deleteBilling,
  findBilling,
  saveBilling as save,
} from '#partners/commissions/billing.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

const present = (row: BillingRow | undefined): PartnerBilling => ({
  company: row?.name ?? '',
  companyAddress: row?.address ?? '',
  vatNumber: row?.vat_number ?? '',
  ...(row?.agreed_at ? { agreedUntil: agreedUntil(row.agreed_at).toISOString() } : {}),
})

export const getBilling = async ({ db }: With<'db'>, partnerId: string): Promise<PartnerBilling> =>
  present(await findBilling(db, partnerId))

/** The same with when it was agreed, for the file with all their data. */
export const billingForExport = async ({ db }: With<'db'>, partnerId: string) => {
  const row = await findBilling(db, partnerId)
  return { ...present(row), ...(row?.agreed_at ? { agreedAt: row.agreed_at.toISOString() } : {}) }
}

const rowOf = (partnerId: string, request: PartnerBillingRequest): BillingRow | undefined => {
  const company = readCompany(request.company, request.companyAddress)
  if ('faults' in company) return undefined
  const read = request.vatNumber === '' ? undefined : readPartnersVatNumber(request.vatNumber)
  const vatNumber = read && 'number' in read ? read.number : null
  return {
    partner_id: partnerId,
    name: company.name,
    address: company.address.join('\n'),
    vat_number: vatNumber,
    agreed_at: vatNumber === null ? null : new Date(),
  }
}

/** From the next document on; what was issued stays. What the contract lets through is whole, or all of it is empty. */
export const saveBilling = async (
  { db }: With<'db'>,
  partnerId: string,
  request: PartnerBillingRequest,
): Promise<PartnerBilling> => {
  const row = rowOf(partnerId, request)
  await db.transaction().execute(async (trx) => {
    if (!(await lockPartner(trx, partnerId))) throw new Problem('not-signed-in')
    if (row) await save(trx, row)
    else await deleteBilling(trx, partnerId)
  })
  return present(row)
}
