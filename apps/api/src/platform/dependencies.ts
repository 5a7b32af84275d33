import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import type { NotifiedCache } from '#platform/database/notified-cache.ts'
import type { KnownBrowsers } from '#platform/http/known-browsers.ts'
import type { RateCounter } from '#platform/http/limits/rate-counter.ts'
import type { Session } from '#platform/http/session.ts'
import type { Later } from '#platform/instrumentation/later.ts'
import type { Meters } from '#platform/instrumentation/meters.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { RunningSettings } from '#platform/running-settings/running-settings.ts'
import type { Settings } from '#platform/settings.ts'

/** What every slice may work with; made once at the start, handed down, so that a test can bring its own. */
export type Dependencies = Readonly<{
  settings: Settings
  db: Db
  mailer: Mailer
  keyCipher: KeyCipher
  keyedHash: KeyedHash
  /** Sessions by the hash of their token, in hexadecimal. */
  sessions: NotifiedCache<Session>
  /** What operators set while the shop runs. */
  running: RunningSettings
  rateCounter: RateCounter
  knownBrowsers: KnownBrowsers
  /** What this process counts of its own doings. */
  meters: Meters
  /** What no answer waits for. */
  later: Later
  log: FastifyBaseLogger
}>

/** Some of them: each service names those that it needs. What a higher slice makes, it adds under its own name. */
export type With<K extends keyof Dependencies> = Pick<Dependencies, K>

/** What only a running process has. */
export type ProcessDependencies = Readonly<{
  /** The connections under `db`. */
  pool: Pool
  /** Aborted when the process is to end: what takes long breaks off. */
  stopping: AbortSignal
}>
