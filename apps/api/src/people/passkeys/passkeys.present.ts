import type { Passkey } from '@hedgerow/contract/passkeys'
import type { PasskeyRow } from '#platform/database/tables/security.table.ts'

export const presentPasskey = (row: PasskeyRow): Passkey => ({
  _id: row.id,
  name: row.name,
  isSynced: row.is_synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
