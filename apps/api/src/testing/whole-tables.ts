import { sql } from 'kysely'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db'>

/** Every row of every table that the database itself knows of, as text with all digits, by table. */
export const wholeTables = async (
  { db }: Shop,
  without: { tables: readonly string[]; columns: Readonly<Record<string, readonly string[]>> },
): Promise<Record<string, string[]>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(db)
  const whole: Record<string, string[]> = {}
  for (const { name } of tables.filter((table) => !without.tables.includes(table.name))) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(one) - ${[...(without.columns[name] ?? [])]}::text[])::text as row
      from ${sql.table(name)} as one order by 1`.execute(db)
    whole[name] = rows.map(({ row }) => row)
  }
  return whole
}

/** The jobs that wait, without those that come round for ever, and without who holds them. */
export const wholeQueue = async ({ db }: Shop): Promise<string[]> => {
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(job) - array['task_id', 'locked_at', 'locked_by', 'is_available'] || jsonb_build_object('task', identifier))::text
      as row
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = task_id
    where identifier <> all(${[...RECURRING_JOBS]}::text[]) order by job.id`.execute(db)
  return rows.map(({ row }) => row)
}

/** What the tables are held to: their constraints, indexes, triggers, and where their numbers go on. */
export const rulesOf = async ({ db }: Shop): Promise<unknown[]> => {
  const { rows } = await sql`
    select 'constraint' as kind, conrelid::regclass::text as "table", conname::text as name,
      pg_get_constraintdef(pg_constraint.oid) || ' ' || convalidated as rule
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select 'index', tablename::regclass::text, indexname::text, indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'trigger', tgrelid::regclass::text, tgname::text, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal
    union all
    select 'column', attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod) || attnotnull || attidentity::text
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by 1, 2, 3`.execute(db)
  return rows
}
