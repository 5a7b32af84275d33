import { sql } from 'kysely'
import type { BackupSequence, BackupTable } from '#care/backup/backup-format.ts'
import { NOT_IN_BACKUPS } from '#people/credentials/end-after-restore.ts'
import type { Db, Trx } from '#platform/database/client.ts'

/**
 * Not in backups: what holds only for the moment (workers, limits), what lets someone in and always ends with a restore
 * (sessions, links), and agents' archives, which are large and can be stored again.
 */
const LEFT_OUT = [
  'job_workers',
  'key_holders',
  'rate_counts',
  ...NOT_IN_BACKUPS,
  'agent_archives',
  'agent_archive_parts',
]
/** Their content is the header's list of migrations, or follows from it. */
const OF_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock', 'schema_floor']

const isOurs = sql`pg_class.relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`

/** Every table but these, as the database itself knows them, with the columns that can be written. */
const listTablesBut = async (db: Db, but: readonly string[]): Promise<BackupTable[]> => {
  const { rows } = await sql<BackupTable>`
    select relname as name, array(
      select attname::text from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) as columns
    from pg_class where relkind = 'r' and ${isOurs} and relname <> all(${but}::text[])
    order by relname`.execute(db)
  return rows
}

/** Those that a backup holds. */
export const listTables = (db: Db): Promise<BackupTable[]> =>
  listTablesBut(db, [...LEFT_OUT, ...OF_MIGRATIONS])

/** Those that the backup of an older version may hold too. */
export const listPossibleTables = (db: Db): Promise<BackupTable[]> => listTablesBut(db, OF_MIGRATIONS)

/** Whether there is no table at all, be it ours or not. */
export const hasNoTables = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_class where relkind in ('r', 'p') and ${isOurs} limit 1`.execute(
    db,
  )
  return rows.length === 0
}

/** Current values. Sequences ignore snapshots: read them after it was taken, so that they are never behind the rows. */
export const readSequences = async (db: Db): Promise<BackupSequence[]> => {
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'S' and ${isOurs} order by relname`.execute(db)
  const sequences: BackupSequence[] = []
  for (const { name } of names) {
    const { rows } = await sql<{ value: string; is_called: boolean }>`
      select last_value::text as value, is_called from ${sql.table(name)}`.execute(db)
    const [found] = rows
    if (found) sequences.push({ name, value: found.value, isCalled: found.is_called })
  }
  return sequences
}

export const setSequences = async (db: Db, sequences: readonly BackupSequence[]): Promise<void> => {
  for (const { name, value, isCalled } of sequences)
    await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${isCalled})`.execute(db)
}

export type ForeignKey = { table: string; name: string; definition: string }

export const listForeignKeys = async (db: Db): Promise<ForeignKey[]> => {
  const { rows } = await sql<ForeignKey>`
    select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and ${isOurs} order by relname, conname`.execute(db)
  return rows
}

export const dropForeignKey = async (db: Db, { table, name }: ForeignKey): Promise<void> => {
  await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(db)
}

/** As it was; PostgreSQL checks every row at once. */
export const addForeignKey = async (db: Db, { table, name, definition }: ForeignKey): Promise<void> => {
  await sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(db)
}

/** Triggers that the migrations made: rows come back as they were, not as changes. */
export const setTriggers = async (db: Db, { name }: BackupTable, isOn: boolean): Promise<void> => {
  await sql`alter table ${sql.table(name)} ${sql.raw(isOn ? 'enable' : 'disable')} trigger user`.execute(db)
}

/** Checks deferred constraints now: with pending ones a table cannot be altered. */
export const checkConstraintsNow = async (db: Db): Promise<void> => {
  await sql`set constraints all immediate`.execute(db)
  await sql`set constraints all deferred`.execute(db)
}

/** What migrations put in. */
export const emptyTables = async (db: Db, tables: readonly BackupTable[]): Promise<void> => {
  if (tables.length > 0)
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db)
}

/** Keeps tables from being changed in shape while their rows are read. */
export const keepShape = async (db: Db, tables: readonly BackupTable[]): Promise<void> => {
  if (tables.length > 0)
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in access share mode`.execute(
      db,
    )
}

/** Values are written and read in one way, whatever the server's settings are. */
export const setCopyStyle = async (db: Db): Promise<void> => {
  await sql`set local datestyle = 'ISO, YMD'`.execute(db)
  await sql`set local intervalstyle = 'postgres'`.execute(db)
  await sql`set local timezone = 'UTC'`.execute(db)
  await sql`set local bytea_output = 'hex'`.execute(db)
  await sql`set local extra_float_digits = 3`.execute(db)
  // A long copy is no mistake.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
}

/** A running shop listens on a connection as long as it lives. */
export const isShopConnected = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and application_name = 'hedgerow listener' limit 1`.execute(db)
  return rows.length > 0
}

/** A copy of the whole server has what a backup leaves out, and so has the backup of an older version. */
export const forgetPassing = async (trx: Trx): Promise<void> => {
  for (const name of LEFT_OUT) await sql`delete from ${sql.table(name)}`.execute(trx)
}
