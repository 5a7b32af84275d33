import { INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { CommissionSnapshot } from '#platform/database/tables/partnership.table.ts'

/** Whom a document would be to now. */
export const findPayee = (trx: Trx, partnerId: string) =>
  trx
    .selectFrom('customers')
    .leftJoin('partner_billing', 'partner_billing.partner_id', 'customers.id')
    .select([
      'customers.name as account_name',
      'partner_billing.name',
      'partner_billing.address',
      'partner_billing.vat_number',
      'partner_billing.agreed_at',
    ])
    .where('customers.id', '=', partnerId)
    .executeTakeFirst()

type NewDocument = { withdrawalId: string; year: number; number: number; snapshot: CommissionSnapshot }

export const insertDocument = async (
  trx: Trx,
  { withdrawalId, year, number, snapshot }: NewDocument,
): Promise<void> => {
  await trx
    .insertInto('commission_documents')
    .values({ withdrawal_id: withdrawalId, year, number, snapshot: JSON.stringify(snapshot) })
    .execute()
}

const documents = (db: Db) => db.selectFrom('commission_documents').selectAll()

export const findDocument = (db: Db, withdrawalId: string) =>
  documents(db).where('withdrawal_id', '=', withdrawalId).executeTakeFirst()

export type CommissionDocument = NonNullable<Awaited<ReturnType<typeof findDocument>>>

/** Of a withdrawal of that partner's. */
export const findDocumentOf = (db: Db, partnerId: string, withdrawalId: string) =>
  documents(db)
    .where('withdrawal_id', '=', withdrawalId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('withdrawals')
          .select('id')
          .whereRef('withdrawals.id', '=', 'commission_documents.withdrawal_id')
          .where('partner_id', '=', partnerId),
      ),
    )
    .executeTakeFirst()

/** Of some withdrawals. */
export const listDocuments = (db: Db, withdrawalIds: readonly string[]) =>
  withdrawalIds.length === 0
    ? Promise.resolve([])
    : documents(db).where('withdrawal_id', 'in', withdrawalIds).execute()

/** Deletes those that need not be kept any more. Their numbers are not given again. */
export const deleteOldDocuments = (db: Db) =>
  deleteDue(
    db,
    'commission_documents',
    sql`year < extract(year from now() at time zone 'Europe/London')::int - ${INVOICE_YEARS}::int`,
  )
