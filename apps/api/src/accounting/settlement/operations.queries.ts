import type { GatewayName } from '@hedgerow/domain/gateways'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue, yearsAgo } from '#platform/database/slices.ts'
import type {
  SettlementOperationRow,
  SettlementOperationsTable,
} from '#platform/database/tables/settlement.table.ts'

/** Who writes operations takes turns: so each is compared with what is there. */
export const lockOperations = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('settlement operations'))`.execute(trx)
}

export const listByIds = async (db: Db, ids: readonly string[]): Promise<SettlementOperationRow[]> =>
  ids.length === 0 ? [] : db.selectFrom('settlement_operations').selectAll().where('id', 'in', ids).execute()

export type NewOperation = Insertable<SettlementOperationsTable>

export const putOperations = async (trx: Trx, rows: readonly NewOperation[]): Promise<void> => {
  if (rows.length === 0) return
  await trx
    .insertInto('settlement_operations')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        source: ref('excluded.source'),
        kind: ref('excluded.kind'),
        type: ref('excluded.type'),
        status: ref('excluded.status'),
        payment_id: ref('excluded.payment_id'),
        initial_minor: ref('excluded.initial_minor'),
        initial_currency: ref('excluded.initial_currency'),
        booked_minor: ref('excluded.booked_minor'),
        booked_currency: ref('excluded.booked_currency'),
        fee_minor: ref('excluded.fee_minor'),
        method: ref('excluded.method'),
        pan_masked: ref('excluded.pan_masked'),
        arn: ref('excluded.arn'),
        rrn: ref('excluded.rrn'),
        completed_at: ref('excluded.completed_at'),
        run_id: ref('excluded.run_id'),
        standing: ref('excluded.standing'),
        explanation: ref('excluded.explanation'),
        explained_at: ref('excluded.explained_at'),
        changed_at: ref('excluded.changed_at'),
      })),
    )
    .execute()
}

/** Those of the ids that are payments of the shop. */
export const listKnownPayments = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('payments').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Payments of a gateway, by its ids of their sales and by ours. */
export const listPaymentsOfSales = (
  db: Db,
  gateway: GatewayName,
  saleIds: readonly string[],
  paymentIds: readonly string[],
) =>
  db
    .selectFrom('payments')
    .select(['id', 'gate_request_id as saleId'])
    .where('gateway', '=', gateway)
    .where(({ eb, or }) => or([eb('gate_request_id', 'in', saleIds), eb('id', 'in', paymentIds)]))
    .execute()

/** What a callback said of it stays. */
export const noteEci = async (trx: Trx, paymentId: string, eci: string): Promise<void> => {
  await trx
    .updateTable('payments')
    .set({ eci })
    .where('id', '=', paymentId)
    .where('eci', 'is', null)
    .execute()
}

/** All that moved money of some payments, whenever it did; by one gateway, or by whichever. */
export const listOfPayments = async (
  db: Db,
  paymentIds: readonly string[],
  gateway?: GatewayName,
): Promise<SettlementOperationRow[]> =>
  paymentIds.length === 0
    ? []
    : db
        .selectFrom('settlement_operations')
        .selectAll()
        .where('payment_id', 'in', paymentIds)
        .where('status', '=', 'success')
        .$if(gateway !== undefined, (query) => query.where('gateway', '=', gateway as GatewayName))
        .execute()

const PAGE = 10_000

/** What was completed from one instant up to another, by one gateway or by all; the oldest first. */
export const listOperationsBetween = async (
  db: Db,
  from: Date,
  to: Date,
  gateway?: GatewayName,
): Promise<SettlementOperationRow[]> => {
  const all: SettlementOperationRow[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await db
      .selectFrom('settlement_operations')
      .selectAll()
      .where('completed_at', '>=', from)
      .where('completed_at', '<', to)
      .$if(gateway !== undefined, (query) => query.where('gateway', '=', gateway as GatewayName))
      .$if(last !== undefined, (query) =>
        query.where(({ refTuple, tuple, eb }) =>
          eb(refTuple('completed_at', 'id'), '>', tuple(last?.completed_at ?? from, last?.id ?? '')),
        ),
      )
      .orderBy('completed_at')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

/** What is not matched in the shop yet: the first so many after an id, in its order. */
export const listOpen = (db: Db, after: string, limit: number): Promise<SettlementOperationRow[]> =>
  db
    .selectFrom('settlement_operations')
    .selectAll()
    .where('standing', '<>', 'known')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Of payouts, those whose money came back, whenever it did. */
export const listReturned = async (
  db: Db,
  gateway: GatewayName,
  sources: readonly string[],
  since: Date,
): Promise<Set<string | null>> => {
  if (sources.length === 0) return new Set()
  const rows = await db
    .selectFrom('settlement_operations')
    .select('source')
    .where('completed_at', '>=', since)
    .where('gateway', '=', gateway)
    .where('kind', '=', 'payout')
    .where(sql<boolean>`booked_minor > 0`)
    .where('source', 'in', sources)
    .execute()
  return new Set(rows.map(({ source }) => source))
}

/** Payments that money of the Gate's reports belongs to, and of which nothing is known here. */
export const listUnknownIds = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('settlement_operations')
    .select('payment_id')
    .distinct()
    .where('gateway', '=', 'gate')
    .where('standing', '=', 'unknown')
    .where('explanation', 'is', null)
    .where('payment_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('payments').select('id').whereRef('id', '=', 'settlement_operations.payment_id')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('unknown_payments')
            .select('unknown_payments.payment_id')
            .whereRef('unknown_payments.payment_id', '=', 'settlement_operations.payment_id'),
        ),
      ),
    )
    .$narrowType<{ payment_id: string }>()
    .limit(limit)
    .execute()
  return rows.map(({ payment_id }) => payment_id)
}

type Standing = SettlementOperationRow['standing']

export const setStanding = async (db: Db, ids: readonly string[], standing: Standing): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('settlement_operations')
    .set({ standing })
    .where('id', 'in', ids)
    .where('standing', '<>', standing)
    .execute()
}

/** Undefined: there is none of that id. */
export const setExplanation = (
  db: Db,
  id: string,
  explanation: string,
): Promise<SettlementOperationRow | undefined> =>
  db
    .updateTable('settlement_operations')
    .set({ explanation, explained_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export type Waiting = { count: number; oldest_seconds: number }

/** Money that only the gateway knows of, or knows otherwise, and that is not explained; and for how long the first. */
export const measureUnexplained = async (db: Db): Promise<Waiting> => {
  const { rows } = await sql<Waiting>`
    select count(*)::int as count,
      coalesce(extract(epoch from now() - min(first_told_at)), 0)::float8 as oldest_seconds
    from settlement_operations where standing <> 'known' and explanation is null`.execute(db)
  return rows[0] ?? { count: 0, oldest_seconds: 0 }
}

/** The same, the latest first. */
export const listUnexplained = (db: Db, limit: number): Promise<SettlementOperationRow[]> =>
  db
    .selectFrom('settlement_operations')
    .selectAll()
    .where('standing', '<>', 'known')
    .where('explanation', 'is', null)
    .orderBy('completed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** What the law does not ask to be kept any longer. `years`: whole calendar years after its own. */
export const deleteOperationsBefore = async (db: Db, years: number): Promise<void> => {
  await deleteDue(db, 'settlement_operations', sql`completed_at < ${yearsAgo(years)}`)
  await deleteDue(db, 'settlement_balances', sql`at < ${yearsAgo(years)}`)
  const isEmpty = sql`not exists (select from settlement_operations where run_id = settlement_runs.id)`
  await deleteDue(db, 'settlement_runs', sql`period_to < ${yearsAgo(years)} and ${isEmpty}`)
}
