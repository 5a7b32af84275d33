import type { CurrencyCode } from '@hedgerow/domain/money'
import { DETAILS_KEPT_DAYS, type WithdrawalStatus } from '@hedgerow/domain/withdrawals'
import { type Insertable, sql } from 'kysely'
import { owingOfRow } from '#partners/earnings/earnings.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { updateDue } from '#platform/database/slices.ts'
import type { WithdrawalRow, WithdrawalsTable } from '#platform/database/tables/partnership.table.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

export const findWithdrawal = (db: Db, id: string): Promise<WithdrawalRow | undefined> =>
  db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()

/** Undefined when the id is taken. To be called with the partner locked. */
export const insertWithdrawal = (
  trx: Trx,
  row: Insertable<WithdrawalsTable>,
): Promise<WithdrawalRow | undefined> =>
  trx
    .insertInto('withdrawals')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export type WithdrawalEnding =
  | { status: 'paid'; reference: string | null }
  | { status: 'refused'; reason: string }

/** Of one that waits. To be called with the partner locked. */
export const endWithdrawal = (trx: Trx, id: string, ending: WithdrawalEnding): Promise<WithdrawalRow> =>
  trx
    .updateTable('withdrawals')
    .set({ ...ending, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'requested')
    .returningAll()
    .executeTakeFirstOrThrow()

/** False where it was recalled before. To be called with the partner locked. */
export const markRecalled = async (trx: Trx, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('withdrawals')
    .set({ recalled_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('recalled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Newest first. */
export const listWithdrawalRows = (db: Db, partnerId: string, limit?: number): Promise<WithdrawalRow[]> =>
  db
    .selectFrom('withdrawals')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()

/** Those that wait and were requested since then. */
export const listRequestedSince = async (db: Db, partnerId: string, since: Date): Promise<string[]> => {
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('status', '=', 'requested')
    .where('created_at', '>', since)
    .execute()
  return rows.map(({ id }) => id)
}

const withEmail = (db: Db) =>
  db
    .selectFrom('withdrawals')
    .leftJoin('customers', 'customers.id', 'withdrawals.partner_id')
    .selectAll('withdrawals')
    .leftJoin('payouts', (join) =>
      join.onRef('payouts.withdrawal_id', '=', 'withdrawals.id').on('payouts.released_at', 'is', null),
    )
    .leftJoin('commission_documents', 'commission_documents.withdrawal_id', 'withdrawals.id')
    .select(['customers.email', 'customers.name', owingOfRow('withdrawals').as('owing_minor')])
    .select(['commission_documents.year as document_year', 'commission_documents.number as document_number'])
    .select(['payouts.batch_id', 'payouts.reference as payout_reference'])

/** With whom it is for, what refunds want back of them, and the file for the bank that it stands in. Their address is null once their account is erased. */
export const findWithdrawalFacts = (db: Db, id: string) =>
  withEmail(db).where('withdrawals.id', '=', id).executeTakeFirst()

export type WithdrawalFacts = NonNullable<Awaited<ReturnType<typeof findWithdrawalFacts>>>

type WithdrawalFilter = {
  state?: WithdrawalStatus | undefined
  currency?: CurrencyCode | undefined
  partnerId?: string | undefined
}

/** Everybody's, in no order. */
export const selectWithdrawals = (db: Db, { state, currency, partnerId }: WithdrawalFilter) =>
  withEmail(db)
    .$if(state !== undefined, (query) => query.where('withdrawals.status', '=', state as WithdrawalStatus))
    .$if(currency !== undefined, (query) =>
      query.where('withdrawals.currency', '=', currency as CurrencyCode),
    )
    .$if(partnerId !== undefined, (query) => query.where('withdrawals.partner_id', '=', partnerId as string))

/** What lists are sorted by. */
export const withdrawalOrder = {
  sorts: { createdAt: { by: sql`withdrawals.created_at`, type: 'timestamptz' } },
  id: { by: sql`withdrawals.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

export const hasOpenWithdrawal = async (db: Db, partnerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('status', '=', 'requested')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The account goes: what its withdrawals say of a person goes with it. */
export const cutWithdrawalsFrom = async (trx: Trx, partnerId: string): Promise<void> => {
  await trx
    .updateTable('withdrawals')
    .set({
      details_encrypted: null,
      ends_with: '',
      // Free text of the operator's, which may name the person.
      reference: null,
      reason: sql<string>`case when reason is not null then '' end`,
    })
    .where('partner_id', '=', partnerId)
    .execute()
}

/** Once the money can hardly come back, it need not be known where it went. */
export const forgetBankDetails = (db: Db) =>
  updateDue(
    db,
    'withdrawals',
    sql`details_encrypted = null`,
    sql`details_encrypted is not null and ended_at < now() - make_interval(days => ${DETAILS_KEPT_DAYS})`,
  )
