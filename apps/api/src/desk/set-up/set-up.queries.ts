import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** When a command was last done; undefined: never. */
export const lastDone = async (db: Db, command: string): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('operator_actions')
    .select('ended_at')
    .where('command', '=', command)
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ended_at ?? undefined
}

/** How often a command was begun in the last so many seconds, the one that asks included. */
export const countBegun = async (
  db: Db,
  command: string,
  { seconds, isUnderWay = false }: { seconds: number; isUnderWay?: boolean },
): Promise<number> => {
  const { count } = await db
    .selectFrom('operator_actions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .where('command', '=', command)
    .$if(isUnderWay, (query) => query.where('ended_at', 'is', null))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const SALE = ['payments.id', 'payments.ended_at', 'charged_minor', 'charged_currency'] as const

/** The first purchase that was given back; where there is none, the first purchase. */
export const findTestPurchase = async (db: Db) => {
  const back = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(SALE)
    .where('refunds.status', '=', 'Success')
    .where('is_unknown', '=', false)
    .orderBy('refunds.ended_at')
    .limit(1)
    .executeTakeFirst()
  if (back) return { ...back, isGivenBack: true, isUnderWay: false }
  const first = await db
    .selectFrom('payments')
    .select([
      ...SALE,
      sql<boolean>`exists (select from refunds where payment_id = payments.id and status = 'Pending')`.as(
        'isUnderWay',
      ),
    ])
    .where('status', '=', 'Success')
    .where('is_unknown', '=', false)
    .orderBy('payments.ended_at')
    .limit(1)
    .executeTakeFirst()
  return first && { ...first, isGivenBack: false }
}

/** Up to a few of them. */
export const countSales = async (db: Db, most: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from payments where status = 'Success' limit ${most}) as sold`.execute(db)
  return rows[0]?.count ?? 0
}
