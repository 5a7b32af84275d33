import type { Registry } from 'prom-client'
import type { DemoDependencies } from '#demo/world.ts'
import { createBankList } from '#money/gateway/bank-list.ts'
import type { DirectGateway } from '#money/gateway/gateway.ts'
import { createPaymentStatuses } from '#money/payments/payment-statuses.ts'
import { findSession } from '#people/sessions/sessions.service.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import { createNotifiedCache } from '#platform/database/notified-cache.ts'
import { createKnownBrowsers } from '#platform/http/known-browsers.ts'
import { createRateCounter } from '#platform/http/limits/rate-counter.ts'
import { createLater } from '#platform/instrumentation/later.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { createMeters } from '#platform/instrumentation/meters.ts'
import { createRunningSettings } from '#platform/running-settings/running-settings.ts'
import type { Settings } from '#platform/settings.ts'

/** No limit of the shop's: what 2,000 people do in 90 days is done here in a minute, by one. */
const UNLIMITED = { rateLimitScale: 0 } as const

/** What services work with, without what could reach anyone: no mail can leave, and only the demonstration's gateway is asked. */
export const openServices = (
  db: Db,
  given: Settings,
  gateway: DirectGateway,
  registry: Registry,
): DemoDependencies => {
  const settings = { ...given, ...UNLIMITED }
  const log = createLog('error')
  const keyedHash = createKeyedHash(hashKeyOf(settings.keyEncryptionKey))
  return {
    settings,
    db,
    gateways: { gate: gateway },
    banks: createBankList({ gateway, settings }),
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
