import { sql } from 'kysely'
import type { RecordEntry, RecordFault } from '#people/operators/record-chain.ts'
import type { Db } from '#platform/database/client.ts'

/** Whether the subject may have become known at the act's end: that entry has it. Until then, it had none. */
const KNOWN_AT_END = sql`exists (
  select from operator_record as later where later.action_id = acts.id and later.is_end and later.has_subject)`

/** As chain_operator_action() writes it, but by none of the database's own functions that its owner could replace. */
const SAID = sql`case
  when entries.action_id is null then jsonb_build_array(entries.seq, 'from', extract(epoch from entries.at), entries.older)
  when acts.id is null then null
  when entries.is_end then jsonb_build_array(entries.seq, 'ended', acts.id, extract(epoch from acts.ended_at), acts.outcome,
    entries.has_subject, acts.subject)
  else jsonb_build_array(entries.seq, 'begun', acts.id, extract(epoch from acts.at), acts.who, acts.command, acts.arguments,
    entries.has_subject, case when entries.has_subject or not ${KNOWN_AT_END} then acts.subject end)
  end::text`

type Row = Omit<RecordEntry, 'seq'> & { seq: string }

/** Those after one, in their order. */
export const listEntries = async (db: Db, after: number, most: number): Promise<RecordEntry[]> => {
  const { rows } = await sql<Row>`
    select entries.seq, extract(epoch from entries.at)::text as at, ${SAID} as said, entries.hash, entries.seal
    from operator_record as entries left join operator_actions as acts on acts.id = entries.action_id
    where entries.seq > ${after} order by entries.seq limit ${most}`.execute(db)
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** The number of the newest entry, and of the newest sealed one that is at least so many older; 0 where there is none. */
export const findMarks = async (db: Db, back = 0): Promise<{ newest: number; sealed: number }> => {
  const { rows } = await sql<{ newest: string; sealed: string }>`
    select newest, coalesce((
      select max(seq) from operator_record where seal is not null and seq <= newest - ${back}::bigint), 0) as sealed
    from (select coalesce(max(seq), 0) as newest from operator_record) as marks`.execute(db)
  return { newest: Number(rows[0]?.newest), sealed: Number(rows[0]?.sealed) }
}

export const saveSeal = async (db: Db, seq: number, seal: Buffer): Promise<void> => {
  await db
    .updateTable('operator_record')
    .set({ seal })
    .where('seq', '=', String(seq))
    .where('seal', 'is', null)
    .execute()
}

export const replaceSeal = async (db: Db, seq: number, seal: Buffer): Promise<void> => {
  await db.updateTable('operator_record').set({ seal }).where('seq', '=', String(seq)).execute()
}

/** Acts that have no entry of their beginning or their end, though they are younger than this entry. */
export const listUnchained = async (db: Db, from: number, most: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from operator_actions as acts cross join (select at as since from operator_record where seq = ${from}) as begun
    where (at >= since and not exists (
        select from operator_record where action_id = acts.id and not is_end))
      or (ended_at >= since and not exists (select from operator_record where action_id = acts.id and is_end))
    order by at limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many acts are older than the chain, and how many there were when it was begun; undefined once that is deleted. */
export const countOlder = async (db: Db): Promise<{ there: number; were: number | undefined }> => {
  const { rows } = await sql<{ there: string; were: string | null }>`
    select (
      select count(*) from operator_actions as acts
      where not exists (select from operator_record where action_id = acts.id)
        and at < (select min(at) from operator_record)) as there,
      (select older from operator_record where seq = 1) as were`.execute(db)
  const were = rows[0]?.were ?? null
  return { there: Number(rows[0]?.there), were: were === null ? undefined : Number(were) }
}

export const listAccepted = async (db: Db): Promise<(RecordFault & { mac: Buffer })[]> => {
  const rows = await db.selectFrom('accepted_record_faults').select(['seq', 'says', 'mac']).execute()
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** Said anew where someone else put it in. */
export const saveAccepted = async (
  db: Db,
  faults: readonly (RecordFault & { mac: Buffer })[],
): Promise<void> => {
  await db
    .insertInto('accepted_record_faults')
    .values(faults.map(({ seq, says, mac }) => ({ seq: String(seq), says, mac })))
    .onConflict((same) =>
      same
        .columns(['seq', 'says'])
        .doUpdateSet({ mac: ({ ref }) => ref('excluded.mac'), accepted_at: sql`clock_timestamp()` }),
    )
    .execute()
}

/** So many entries are forgotten at once. */
const FORGOTTEN_AT_ONCE = 5_000

/**
 * Up to the newest sealed entry before all that must be kept: it stays for the others to follow, and the acts go in the same
 * statement. A day longer than they must be kept: entries are numbered a moment after their times.
 */
export const deleteOldEntries = async (db: Db): Promise<void> => {
  await sql`
    with last as (
      select max(seq) as seq from operator_record
      where seal is not null and seq < coalesce((
          select seq from operator_record where at >= now() - interval '2 years 1 day' order by seq limit 1), ${sql.lit(2 ** 53)})
        and seq <= (select min(seq) from operator_record) + ${sql.lit(FORGOTTEN_AT_ONCE)}
    ), acts as (
      delete from operator_actions where at < now() - interval '2 years'
        and id in (select action_id from operator_record, last where operator_record.seq <= last.seq)
        and not exists (
          select from operator_record, last where action_id = operator_actions.id and operator_record.seq > last.seq)
    )
    delete from operator_record using last where operator_record.seq < last.seq`.execute(db)
}
