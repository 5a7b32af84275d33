import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/**
 * A clock that can be set, for a past that is lived by the shop's own services: whatever they ask for the time answers with this one. In
 * the database a schema stands before the system's own in the search path, so that its now() is the one that is called; what
 * tables fill in by themselves is told for as long. In this process Date is told.
 */
export type DemoClock = {
  set: (at: Date) => Promise<void>
  /** Everything is told the real time again, and nothing of this is left in the database. */
  stop: () => Promise<void>
}

const SCHEMA = 'demo_clock'

/** For every connection that is to be told the time. A crash loses what was made; it is made anew then. */
export const TOLD_THE_TIME = {
  options: `-c search_path=${SCHEMA},public,pg_catalog -c synchronous_commit=off`,
} as const

/** A sequence and not a row: every reader sees at once what was set, in the middle of anything, and nothing piles up. */
const CREATE = `
  create schema ${SCHEMA};
  create sequence ${SCHEMA}.milliseconds;
  create function ${SCHEMA}.now() returns timestamptz language plpgsql stable as $$ begin
    return (select to_timestamp(last_value / 1000.0) from ${SCHEMA}.milliseconds);
  end $$;
  create function ${SCHEMA}.clock_timestamp() returns timestamptz language sql stable as
    $$ select ${SCHEMA}.now() $$;`

type Default = { table_name: string; column_name: string; text: string }

const listDefaults = async (db: Db): Promise<Default[]> => {
  const { rows } = await sql<Default>`
    select attrelid::regclass::text as table_name, quote_ident(attname) as column_name,
      pg_get_expr(adbin, adrelid) as text
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    join pg_class on pg_class.oid = adrelid
    where relnamespace = 'public'::regnamespace and pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp)\\(\\)'`.execute(
    db,
  )
  return rows
}

const setDefaults = async (db: Db, defaults: readonly Default[], schema: string): Promise<void> => {
  for (const { table_name, column_name, text } of defaults) {
    const told = text.replaceAll(/\b(?:\w+\.)?(now|clock_timestamp)\(\)/g, `${schema}.$1()`)
    await sql`alter table ${sql.raw(table_name)} alter column ${sql.raw(column_name)} set default ${sql.raw(told)}`.execute(
      db,
    )
  }
}

const RealDate = Date

/** What is asked for the time without one is told that one; all else of Date stays. */
const tellProcess = (now: () => number): void => {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

export const startClock = async (db: Db, at: Date): Promise<DemoClock> => {
  let now = at.getTime()
  await sql`drop schema if exists ${sql.raw(SCHEMA)} cascade`.execute(db)
  await sql.raw(CREATE).execute(db)
  const defaults = await listDefaults(db)
  await setDefaults(db, defaults, SCHEMA)
  tellProcess(() => now)
  const set = async (to: Date) => {
    now = to.getTime()
    await sql`select setval('${sql.raw(SCHEMA)}.milliseconds', ${now}::bigint)`.execute(db)
  }
  await set(at)
  return {
    set,
    stop: async () => {
      globalThis.Date = RealDate
      await setDefaults(db, defaults, 'pg_catalog')
      await sql`drop schema ${sql.raw(SCHEMA)} cascade`.execute(db)
    },
  }
}
