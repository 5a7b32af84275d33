import type { Registry } from 'prom-client'
import { createKeyCipher } from '#crypto/key-cipher.ts'
import { createKeyedHash, hashKeyOf } from '#crypto/keyed-hash.ts'
import type { Db } from '#database/client.ts'
import { createNotifiedCache } from '#database/notified-cache.ts'
import type { DemoDependencies } from '#demo/world.ts'
import { createBankList } from '#gateway/bank-list.ts'
import type { GateClient } from '#gateway/gate-client.ts'
import { createKnownBrowsers } from '#http/known-browsers.ts'
import { createRateCounter } from '#http/rate-counter.ts'
import { createLater } from '#instrumentation/later.ts'
import { createLog } from '#instrumentation/log.ts'
import { createMeters } from '#instrumentation/meters.ts'
import { createPaymentStatuses } from '#payments/payment-statuses.ts'
import { createRunningSettings } from '#running-settings/running-settings.ts'
import { findSession } from '#sessions/sessions.service.ts'
import type { Settings } from '#settings.ts'

/** No limit of the shop's: what 2,000 people do in 90 days is done here in a minute, by one. */
const UNLIMITED = { rateLimitScale: 0 } as const

/** What services work with, without what could reach anybody: no mail can leave, and only the demonstration's gateway is asked. */
export const openServices = (
  db: Db,
  given: Settings,
  gate: GateClient,
  registry: Registry,
): DemoDependencies => {
  const settings = { ...given, ...UNLIMITED }
  const log = createLog('error')
  const keyedHash = createKeyedHash(hashKeyOf(settings.keyEncryptionKey))
  return {
    settings,
    db,
    gate,
    banks: createBankList({ gate, settings }),
    vies: { ask: async () => ({ kind: 'unanswered' }) },
    running: createRunningSettings(db, log),
    rateCounter: createRateCounter(db, 0, keyedHash),
    knownBrowsers: createKnownBrowsers({ keyedHash, isSecure: false, findLock: async () => undefined }),
    mailer: {
      send: () => Promise.reject(new Error('a demonstration sends no mail while it is made')),
      isThere: async () => false,
      close: () => undefined,
    },
    keyCipher: createKeyCipher(settings.keyEncryptionKey),
    keyedHash,
    sessions: createNotifiedCache((hashHex) => findSession(db, hashHex)),
    statuses: createPaymentStatuses(db, settings.publicUrl),
    meters: createMeters(registry),
    later: createLater(log),
    log,
  }
}
