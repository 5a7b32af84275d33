import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { Outcome, RecordedArguments } from '#platform/database/tables/operators.table.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

export type NewAction = {
  id: string
  who: string
  command: string
  arguments: RecordedArguments
  subject: string | null
}

export const insertAction = async (db: Db, { arguments: given, ...row }: NewAction): Promise<void> => {
  await db
    .insertInto('operator_actions')
    .values({ ...row, arguments: JSON.stringify(given) })
    .execute()
}

export const endAction = async (
  db: Db,
  id: string,
  outcome: Outcome,
  subject: string | undefined,
): Promise<void> => {
  await db
    .updateTable('operator_actions')
    .set({
      outcome,
      ended_at: sql<Date>`clock_timestamp()`,
      subject: sql<string | null>`coalesce(subject, ${subject ?? null})`,
    })
    .where('id', '=', id)
    .execute()
}

export const findAction = (db: Db, id: string) =>
  db.selectFrom('operator_actions').selectAll().where('id', '=', id).executeTakeFirst()

/** A backup holds the record of its own taking as it was then, under way. That there is a file says that it was done. */
export const endOwnBackup = async (db: Db, takenAt: string): Promise<void> => {
  await db
    .updateTable('operator_actions')
    .set({ outcome: 'done', ended_at: sql<Date>`greatest(at, ${takenAt}::timestamptz)` })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('operator_actions')
        .select('id')
        .where('command', '=', 'backup')
        .where('outcome', '=', 'under way')
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(1),
    )
    .execute()
}

type ActionFilter = {
  since?: Date | undefined
  until?: Date | undefined
  outcome?: Outcome | undefined
  who?: string | undefined
  command?: string | undefined
  subject?: string | undefined
}

/** 'refund' finds itself, 'node' every command of its group. */
const beginsWith = (command: string) => `${command.replace(/[\\%_]/g, '\\$&')} %`

/** What a search finds, in no order. */
export const selectActions = (db: Db, { since, until, who, command, subject, outcome }: ActionFilter) =>
  db
    .selectFrom('operator_actions')
    .selectAll()
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? new Date(0)))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? new Date(0)))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'done'))
    .$if(who !== undefined, (query) =>
      query.where(({ or, eb }) =>
        or([eb('who', '=', who ?? ''), eb(sql`regexp_replace(who, '@[^@]*$', '')`, '=', who ?? '')]),
      ),
    )
    .$if(command !== undefined, (query) =>
      query.where(({ or, eb }) =>
        or([eb('command', '=', command ?? ''), eb('command', 'like', beginsWith(command ?? ''))]),
      ),
    )
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))

/** What lists are sorted by. */
export const actionOrder = {
  sorts: { at: { by: sql`operator_actions.at`, type: 'timestamptz' } },
  id: { by: sql`operator_actions.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

/**
 * What was done to an account and to what is its own, oldest first: part of what its customer may download. Codes are kept
 * as they were typed.
 */
export const listActionsOn = (db: Db, ids: readonly string[], promocode: string) =>
  db
    .selectFrom('operator_actions')
    .select(['at', 'command', 'outcome', 'ended_at'])
    .where(sql<boolean>`(subject = any(${ids}::text[]) or upper(subject) = ${promocode})`)
    .orderBy('at')
    .execute()

/** The database lets go of them after as long, and not before. Those that have entries in the chain go with these. */
export const deleteOldActions = (db: Db) =>
  deleteDue(
    db,
    'operator_actions',
    sql`at < now() - interval '2 years' and not exists (
      select from operator_record where action_id = operator_actions.id)`,
  )

/** False in a database of a version that had no such record. */
export const keepsRecord = async ({ db }: { db: Db }): Promise<boolean> => {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('operator_actions') is not null as is_there`.execute(db)
  return rows[0]?.is_there ?? false
}
