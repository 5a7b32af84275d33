import type { CurrencyCode } from '@hedgerow/domain/money'
import { sql } from 'kysely'
import { owingOfRow } from '#partners/earnings/earnings.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { Payer, PayoutRow } from '#platform/database/tables/payouts.table.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

export type PayoutBatch = {
  id: string
  currency: CurrencyCode
  kind: 'sepa' | 'csv'
  /** '2026-11-23' */
  executionDay: string
  payer: Payer
  columns: string | null
  createdAt: Date
}

/** Waiting withdrawals in a currency that stand in no batch, the oldest first. */
export const listToExport = (db: Db, currency: CurrencyCode, limit: number) =>
  db
    .selectFrom('withdrawals')
    .select(['id', 'partner_id'])
    .where('status', '=', 'requested')
    .where('recalled_at', 'is', null)
    .where('currency', '=', currency)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payouts')
            .select('payouts.reference')
            .whereRef('payouts.withdrawal_id', '=', 'withdrawals.id')
            .where('payouts.released_at', 'is', null),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const withPartner = (db: Db) =>
  db
    .selectFrom('withdrawals')
    .leftJoin('customers', 'customers.id', 'withdrawals.partner_id')
    .leftJoin('payouts', (join) =>
      join.onRef('payouts.withdrawal_id', '=', 'withdrawals.id').on('payouts.released_at', 'is', null),
    )
    .select([
      'withdrawals.id',
      'withdrawals.partner_id',
      'withdrawals.status',
      'withdrawals.recalled_at',
      'withdrawals.amount_minor',
      'withdrawals.currency',
      'withdrawals.details_encrypted',
      'withdrawals.ends_with',
      'customers.email',
      'payouts.reference as payout_reference',
      owingOfRow('withdrawals').as('owing_minor'),
    ])

/** With the file that they stand in now; in the order of their asking. */
export const listPayable = (db: Db, ids: readonly string[]) =>
  withPartner(db)
    .where('withdrawals.id', 'in', [...ids])
    .orderBy('withdrawals.created_at')
    .orderBy('withdrawals.id')
    .execute()

export type PayableRow = Awaited<ReturnType<typeof listPayable>>[number]

export const insertBatch = async (trx: Trx, batch: PayoutBatch): Promise<void> => {
  const { id, currency, kind, executionDay, payer, columns, createdAt } = batch
  await trx
    .insertInto('payout_batches')
    .values({
      id,
      currency,
      kind,
      execution_day: executionDay,
      payer: JSON.stringify(payer),
      columns,
      created_at: createdAt,
    })
    .execute()
}

type NewPayout = { reference: string; withdrawalId: string; position: number }

export const insertPayouts = async (
  trx: Trx,
  batchId: string,
  payouts: readonly NewPayout[],
): Promise<void> => {
  await trx
    .insertInto('payouts')
    .values(
      payouts.map(({ reference, withdrawalId, position }) => ({
        reference,
        batch_id: batchId,
        withdrawal_id: withdrawalId,
        position,
        released_at: null,
        released_because: null,
      })),
    )
    .execute()
}

export const findBatch = async (db: Db, id: string): Promise<PayoutBatch | undefined> => {
  const row = await db
    .selectFrom('payout_batches')
    .select(['id', 'currency', 'kind', 'payer', 'columns', 'created_at'])
    .select(sql<string>`to_char(execution_day, 'YYYY-MM-DD')`.as('day'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { day, created_at, ...rest } = row
  return { ...rest, executionDay: day, createdAt: created_at }
}

const withWithdrawal = (db: Db) =>
  db
    .selectFrom('payouts')
    .innerJoin('withdrawals', 'withdrawals.id', 'payouts.withdrawal_id')
    .leftJoin('customers', 'customers.id', 'withdrawals.partner_id')
    .selectAll('payouts')
    .select([
      'withdrawals.partner_id',
      'withdrawals.status',
      'withdrawals.recalled_at',
      'withdrawals.amount_minor',
      'withdrawals.currency',
      'withdrawals.details_encrypted',
      'withdrawals.ends_with',
      'customers.email',
      owingOfRow('withdrawals').as('owing_minor'),
    ])

/** As they stand in the file, with those that were taken out of it. */
export const listPayoutsOf = (db: Db, batchId: string) =>
  withWithdrawal(db).where('payouts.batch_id', '=', batchId).orderBy('payouts.position').execute()

export type PayoutFacts = Awaited<ReturnType<typeof listPayoutsOf>>[number]

export const listPayoutsBy = (db: Db, references: readonly string[]): Promise<PayoutFacts[]> =>
  withWithdrawal(db)
    .where(sql<boolean>`payouts.reference = any(${[...references]}::text[])`)
    .execute()

/** The file that a withdrawal stands in now. */
export const findPayoutOf = (db: Db, withdrawalId: string): Promise<PayoutRow | undefined> =>
  db
    .selectFrom('payouts')
    .selectAll()
    .where('withdrawal_id', '=', withdrawalId)
    .where('released_at', 'is', null)
    .executeTakeFirst()

/** Whatever was put in a file for them, the oldest first. */
export const listPayoutsOfPartner = (db: Db, partnerId: string) =>
  db
    .selectFrom('payouts')
    .innerJoin('payout_batches', 'payout_batches.id', 'payouts.batch_id')
    .innerJoin('withdrawals', 'withdrawals.id', 'payouts.withdrawal_id')
    .select(['payouts.reference', 'payouts.withdrawal_id', 'payout_batches.created_at'])
    .select(['payouts.released_at', 'payouts.released_because'])
    .where('withdrawals.partner_id', '=', partnerId)
    .orderBy('payout_batches.created_at')
    .orderBy('payouts.reference')
    .execute()

export type PartnersPayout = Awaited<ReturnType<typeof listPayoutsOfPartner>>[number]

/** False where it was taken out before. To be called with the partner locked. */
export const releasePayout = async (trx: Trx, reference: string, because: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('payouts')
    .set({ released_at: sql<Date>`now()`, released_because: because })
    .where('reference', '=', reference)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** With what came of what stands in them, in no order. */
export const selectBatches = (db: Db) =>
  db
    .selectFrom('payout_batches')
    .innerJoin('payouts', 'payouts.batch_id', 'payout_batches.id')
    .innerJoin('withdrawals', 'withdrawals.id', 'payouts.withdrawal_id')
    .select([
      'payout_batches.id',
      'payout_batches.currency',
      'payout_batches.kind',
      'payout_batches.created_at',
    ])
    .select(sql<string>`to_char(payout_batches.execution_day, 'YYYY-MM-DD')`.as('day'))
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`sum(withdrawals.amount_minor)`.as('sum_minor'),
      sql<number>`(count(*) filter (where released_at is null and status = 'requested'))::int`.as('waiting'),
      sql<number>`(count(*) filter (where released_at is null and status = 'paid'))::int`.as('paid'),
      sql<number>`(count(*) filter (where released_at is not null))::int`.as('released'),
    ])
    .groupBy('payout_batches.id')

export type BatchFacts = Awaited<ReturnType<ReturnType<typeof selectBatches>['execute']>>[number]

/** What lists are sorted by. */
export const batchOrder = {
  sorts: { createdAt: { by: sql`payout_batches.created_at`, type: 'timestamptz' } },
  id: { by: sql`payout_batches.id`, type: 'text' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

/** By currency, from one instant to another, which is not included. */
export const sumPaidRows = async (db: Db, from: Date, to: Date) => {
  const { rows } = await sql<{ currency: CurrencyCode; count: number; paid: string; ledger: string }>`
    select currency, sum(count)::int as count, sum(paid) as paid, sum(ledger) as ledger from (
      select currency, 1 as count, amount_minor as paid, 0 as ledger from withdrawals
      where status = 'paid' and ended_at >= ${from} and ended_at < ${to}
      union all
      select currency, 0, 0, amount_minor from ledger_transfers
      where kind = 'paid' and created_at >= ${from} and created_at < ${to}) as both_sides
    group by currency order by currency`.execute(db)
  return rows.map(({ currency, count, paid, ledger }) => ({
    currency,
    count,
    paidMinor: Number(paid),
    ledgerMinor: Number(ledger),
  }))
}

/** With the batches in which nothing is left. */
export const deletePayoutsOf = async (trx: Trx, partnerIds: readonly string[]): Promise<void> => {
  await sql`
    delete from payouts where withdrawal_id in (
      select id from withdrawals where partner_id = any(${[...partnerIds]}::uuid[]))`.execute(trx)
  await sql`
    delete from payout_batches where not exists (
      select from payouts where payouts.batch_id = payout_batches.id)`.execute(trx)
}
