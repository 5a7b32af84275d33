import { isLoopback } from '@hedgerow/settings/hosts'
import { sql } from 'kysely'
import type { Check } from '#care/doctor/check.ts'
import { listMigrations } from '#platform/database/compare-schema.ts'
import { OF_A_PROCESS } from '#platform/database/connections-needed.ts'
import { listKnownMigrations } from '#platform/database/migrations.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

const OLDEST_SUPPORTED = 15
const SKEW_MS = 2_000

type Facts = {
  version: string
  number: number
  is_encrypted: boolean
  most: number
  used: number
  encoding: string
  synchronous: string
  standbys: number
  archive: string
  archive_failed: boolean
  now_ms: number
}

const encryption = ({ databaseUrl, mayDatabaseBePlain }: Settings, { is_encrypted }: Facts): Finding => {
  if (is_encrypted) return ok('the connection is encrypted')
  const host = databaseUrl ? new URL(databaseUrl).hostname : 'localhost'
  if (host === '' || isLoopback(host)) return ok('the database is on this machine')
  return mayDatabaseBePlain
    ? warning(
        'the connection is not encrypted',
        'Set sslmode=verify-full, and take DATABASE_ALLOW_PLAINTEXT out.',
      )
    : problem('the connection is not encrypted', 'Set sslmode=verify-full.')
}

const durability = ({ synchronous, standbys, archive, archive_failed }: Facts): Finding[] => [
  ...(synchronous === 'off'
    ? [
        problem(
          'synchronous_commit is off: what was sold in the last second is lost with a crash',
          'Set synchronous_commit = on.',
        ),
      ]
    : []),
  archive_failed
    ? problem('the last try to archive the log failed', 'See PostgreSQL’s own log.')
    : archive === 'off'
      ? warning(
          `the log is not archived, and ${standbys === 0 ? 'no standby follows' : `${standbys} standbys follow`}`,
          'Without an archive a mistake costs all since the last backup; docs/database.md has the settings.',
        )
      : ok(`the log is archived, and ${standbys} standbys follow`),
]

export const databaseChecks: readonly Check[] = [
  {
    name: 'database',
    isWatched: true,
    look: async ({ settings, db }) => {
      const before = Date.now()
      const { rows } = await sql<Facts>`
        select current_setting('server_version') as version,
          current_setting('server_version_num')::int / 10000 as number,
          coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
          (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
          current_setting('server_encoding') as encoding,
          current_setting('synchronous_commit') as synchronous,
          (select count(*)::int from pg_stat_replication) as standbys,
          current_setting('archive_mode') as archive,
          (select last_failed_time > coalesce(last_archived_time, '-infinity') from pg_stat_archiver) is true as archive_failed,
          extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`.execute(db)
      const [facts] = rows
      if (!facts) return problem('the database says nothing', 'See PostgreSQL’s own log.')
      const after = Date.now()
      const skew = Math.max(before - facts.now_ms, facts.now_ms - after, 0)
      const free = facts.most - facts.used
      return [
        facts.number < OLDEST_SUPPORTED
          ? problem(`PostgreSQL ${facts.version} is too old`, `Use ${OLDEST_SUPPORTED} or newer.`)
          : ok(`PostgreSQL ${facts.version}`),
        encryption(settings, facts),
        ...(facts.encoding === 'UTF8'
          ? []
          : [problem(`its encoding is ${facts.encoding}`, 'Make it anew with UTF8, from a backup.')]),
        free < OF_A_PROCESS
          ? warning(
              `${free} of ${facts.most} connections are free: too few for one more process`,
              'Raise max_connections, or stop what holds them.',
            )
          : ok(`${free} of ${facts.most} connections are free`),
        ...(skew > SKEW_MS
          ? [
              problem(
                `its clock and this machine’s are ${Math.round(skew / 1000)} seconds apart`,
                'Have both keep time by NTP.',
              ),
            ]
          : []),
        ...durability(facts),
      ]
    },
  },
  {
    name: 'migrations',
    look: async ({ db }) => {
      const [known, seen] = [await listKnownMigrations(), await listMigrations(db)]
      const missing = known.filter((name) => !seen.includes(name)).length
      const newer = seen.filter((name) => !known.includes(name)).length
      if (newer > 0)
        return warning(
          `the database has ${newer} migrations of a newer version`,
          'Expected only while you upgrade.',
        )
      return missing > 0
        ? warning(`${missing} migrations are to come`, 'The next start of this version does them.')
        : ok('the database is of this version')
    },
  },
]
