import type { FastifyBaseLogger } from 'fastify'
import type { KeyCipher } from '#connections/key-cipher.ts'
import type { Db } from '#database/client.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { GateClient } from '#payments/gate-client.ts'
import type { StatusCache } from '#payments/status-cache.ts'
import type { Settings } from './settings.ts'

/** What the services work with; made once at the start, handed down, so that a test can bring its own. */
export type Dependencies = Readonly<{
  settings: Settings
  db: Db
  gate: GateClient
  mailer: Mailer
  keyCipher: KeyCipher
  statusCache: StatusCache
  log: FastifyBaseLogger
}>
