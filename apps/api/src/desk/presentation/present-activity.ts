import { isoOrNull } from '@hedgerow/domain/dates'
import type { AccountActivity } from '#desk/backoffice/guard-account.ts'

/** For programs. With no key, no hash and no code. */
export const presentActivity = ({ guard, passkeys, sessions, events }: AccountActivity, limit: number) => ({
  secondStepAt: isoOrNull(guard.second_step_at),
  secondStepEndsAt: isoOrNull(guard.second_step_ends_at),
  authenticatorAppAt: isoOrNull(guard.totp_at),
  recoveryCodes: guard.recovery_codes,
  passkeys: passkeys.map((row) => ({
    id: row.id,
    name: row.name,
    isSynced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: isoOrNull(row.last_used_at),
  })),
  sessions: sessions.map((row) => ({
    id: row.id,
    browser: row.browser,
    network: row.network,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  })),
  events: events.slice(0, limit).map((row) => ({
    id: row.id,
    kind: row.kind,
    browser: row.browser,
    network: row.network,
    times: row.times,
    at: row.created_at.toISOString(),
    lastAt: row.last_at.toISOString(),
  })),
  hasMore: events.length > limit,
})
