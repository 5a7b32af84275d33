import type { CommissionData } from '@hedgerow/contract/account-data'
import { commissionKindOf, commissionNumber, sumsOfCommission } from '@hedgerow/domain/commissions'
import { isoDay } from '@hedgerow/domain/dates'
import { addressLines } from '@hedgerow/domain/vat-numbers'
import { presentDocument, presentDocumentData } from '#partners/commissions/documents.present.ts'
import {
  findDocument,
  findDocumentOf,
  findPayee,
  insertDocument,
  listDocuments,
} from '#partners/commissions/documents.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { CommissionSnapshot, WithdrawalRow } from '#platform/database/tables/partnership.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { Settings } from '#platform/settings.ts'
import { takeNumber } from '#sales/invoices/next-number.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import { inSterling, readSterlingRates } from '#sales/invoices/sterling.ts'

export { deleteOldDocuments } from '#partners/commissions/documents.queries.ts'

/** Issues the document of a withdrawal that is paid in this transaction, with its partner locked. */
export const issueDocument = async (
  trx: Trx,
  { brand }: Pick<Settings, 'brand'>,
  { id, partner_id, amount_minor, currency, reference, ended_at }: WithdrawalRow,
): Promise<void> => {
  const payee = await findPayee(trx, partner_id)
  const paidAt = ended_at ?? new Date()
  const vatNumber = payee?.vat_number ?? null
  const kind = commissionKindOf({ vatNumber, agreedAt: payee?.agreed_at ?? null }, paidAt)
  const sums = sumsOfCommission(kind, amount_minor)
  const sterling = inSterling(sums, currency, await readSterlingRates(trx), isoDay(paidAt))
  const { name, company } = brand
  const snapshot: CommissionSnapshot = {
    kind,
    issuer: { name, company },
    partner: {
      name: payee?.name ?? payee?.account_name ?? '',
      address: addressLines(payee?.address ?? ''),
      ...(vatNumber ? { vatNumber } : {}),
    },
    paidAt: paidAt.toISOString(),
    ...(reference ? { reference } : {}),
    currency,
    ...sums,
    ...(sterling ? { sterling } : {}),
  }
  await insertDocument(trx, { withdrawalId: id, snapshot, ...(await takeNumber(trx, 'commissions')) })
}

/** The numbers of documents of some withdrawals, by withdrawal. */
export const documentNumbers = async (
  db: Db,
  withdrawalIds: readonly string[],
): Promise<Map<string, string>> =>
  new Map(
    (await listDocuments(db, withdrawalIds)).map(({ withdrawal_id, year, number }) => [
      withdrawal_id,
      commissionNumber(year, number),
    ]),
  )

/** Of some withdrawals, for the file with all data of their partner. */
export const documentsOf = async (db: Db, withdrawalIds: readonly string[]): Promise<CommissionData[]> =>
  (await listDocuments(db, withdrawalIds)).map(presentDocumentData)

/** For its partner, or with null for the operator. Throws 'document-not-found', also for another partner's. */
export const documentPdf = async (
  { db, pdfs }: With<'db'> & InvoiceDependencies,
  partnerId: string | null,
  withdrawalId: string,
): Promise<Buffer> => {
  const found = await (partnerId === null
    ? findDocument(db, withdrawalId)
    : findDocumentOf(db, partnerId, withdrawalId))
  if (!found) throw new Problem('document-not-found')
  return pdfs.make(presentDocument(found))
}
