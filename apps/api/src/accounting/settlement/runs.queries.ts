import type { GatewayName } from '@hedgerow/domain/gateways'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { SettlementRunRow } from '#platform/database/tables/settlement.table.ts'

type NewRun = Pick<SettlementRunRow, 'id' | 'kind' | 'gateway' | 'period_from' | 'period_to'> &
  Partial<Pick<SettlementRunRow, 'file_name' | 'file_sha256' | 'is_daily'>>

export const insertRun = async (db: Db, run: NewRun): Promise<void> => {
  await db.insertInto('settlement_runs').values(run).execute()
}

export type Counts = { created: number; changed: number; same: number; leftOut: number }

/** What a page, or a file, has brought; `rows`: how many of the gateway's own that were. `next`: where the next page begins. */
export const addToRun = async (
  trx: Trx,
  id: string,
  rows: number,
  counts: Counts,
  next: string | null = null,
): Promise<void> => {
  await trx
    .updateTable('settlement_runs')
    .set({
      next_offset: sql<number>`next_offset + ${rows}`,
      next_cursor: next,
      new_count: sql<number>`new_count + ${counts.created}`,
      changed_count: sql<number>`changed_count + ${counts.changed}`,
      same_count: sql<number>`same_count + ${counts.same}`,
      left_out_count: sql<number>`left_out_count + ${counts.leftOut}`,
    })
    .where('id', '=', id)
    .execute()
}

export const endRun = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('settlement_runs').set({ ended_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

export const findRunOfFile = (db: Db, sha256: string): Promise<SettlementRunRow | undefined> =>
  db.selectFrom('settlement_runs').selectAll().where('file_sha256', '=', sha256).executeTakeFirst()

/** A day of the shop's own fetching that broke off. */
export const findBrokenOff = (
  db: Db,
  gateway: GatewayName,
  from: Date,
  to: Date,
): Promise<SettlementRunRow | undefined> =>
  db
    .selectFrom('settlement_runs')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('is_daily', '=', true)
    .where('ended_at', 'is', null)
    .where('period_from', '=', from)
    .where('period_to', '=', to)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Up to when the shop has fetched by itself. */
export const lastDailyEnd = async (db: Db, gateway: GatewayName): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('settlement_runs')
    .select(({ fn }) => fn.max('period_to').as('end'))
    .where('gateway', '=', gateway)
    .where('is_daily', '=', true)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return row?.end ?? undefined
}

export const listRuns = (db: Db, limit: number): Promise<SettlementRunRow[]> =>
  db
    .selectFrom('settlement_runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Runs that have ended and cover any of the time. */
export const listRunsWithin = (
  db: Db,
  gateway: GatewayName,
  from: Date,
  to: Date,
): Promise<SettlementRunRow[]> =>
  db
    .selectFrom('settlement_runs')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('ended_at', 'is not', null)
    .where('period_from', '<', to)
    .where('period_to', '>', from)
    .orderBy('period_from')
    .execute()

/** Gateways that have booked something, as far as it was fetched or imported. */
export const listReporting = async (db: Db): Promise<GatewayName[]> => {
  const rows = await db
    .selectFrom('settlement_runs')
    .select('gateway')
    .distinct()
    .where('new_count', '>', 0)
    .orderBy('gateway')
    .execute()
  return rows.map(({ gateway }) => gateway)
}

type Balance = { currency: string; at: Date; minor: number }

export const putBalances = async (db: Db, balances: readonly Balance[]): Promise<void> => {
  if (balances.length === 0) return
  await db
    .insertInto('settlement_balances')
    .values([...balances])
    .onConflict((conflict) =>
      conflict
        .columns(['currency', 'at'])
        .doUpdateSet(({ ref }) => ({ minor: ref('excluded.minor'), told_at: sql<Date>`now()` })),
    )
    .execute()
}

/** Of the Gate, which alone tells them. In minor units, by currency; empty where it has not told that instant. */
export const balancesAt = async (db: Db, at: Date): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('settlement_balances')
    .select(['currency', 'minor'])
    .where('at', '=', at)
    .execute()
  return new Map(rows.map(({ currency, minor }) => [currency, Number(minor)]))
}
