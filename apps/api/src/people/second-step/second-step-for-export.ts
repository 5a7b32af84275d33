import type { AccountData } from '@hedgerow/contract/account-data'
import { isoOrNull } from '@hedgerow/domain/dates'
import { sql } from 'kysely'
import { listPasskeys } from '#people/passkeys/passkeys.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

type Times = {
  second_step_at: Date | null
  second_step_ends_at: Date | null
  confirmed_at: Date | null
  last_code_at: Date | null
  pending_until: Date | null
  reset_asked_at: Date | null
}

/** A code is of one of the half minutes since 1970. */
const readTimes = async (db: Db, customerId: string): Promise<Times | undefined> => {
  const { rows } = await sql<Times>`
    select second_step_at, second_step_ends_at, totp_secrets.confirmed_at, pending_until,
      second_step_resets.asked_at as reset_asked_at,
      case when last_step > 0 then to_timestamp(last_step * 30) end as last_code_at
    from customers left join totp_secrets on totp_secrets.customer_id = customers.id
      left join second_step_resets on second_step_resets.customer_id = customers.id
    where customers.id = ${customerId}`.execute(db)
  return rows[0]
}

const listCodes = (db: Db, customerId: string) =>
  db
    .selectFrom('recovery_codes')
    .select(['created_at', 'used_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

const listUnderWay = (db: Db, customerId: string) =>
  db
    .selectFrom('auth_challenges')
    .select(['purpose', 'tries', 'created_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute()

/** When what was set up and used: no secret, no code and no key, which would let someone else in. */
export const secondStepForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<AccountData['secondStep']> => {
  const times = await readTimes(db, customerId)
  return {
    onSince: isoOrNull(times?.second_step_at),
    endsAt: isoOrNull(times?.second_step_ends_at),
    app: {
      confirmedAt: isoOrNull(times?.confirmed_at),
      lastCodeAt: isoOrNull(times?.last_code_at),
      pendingUntil: isoOrNull(times?.pending_until),
    },
    passkeys: (await listPasskeys(db, customerId)).map((row) => ({
      _id: row.id,
      name: row.name,
      isSynced: row.is_synced,
      transports: row.transports,
      signatures: Number(row.counter),
      createdAt: row.created_at.toISOString(),
      lastUsedAt: isoOrNull(row.last_used_at),
    })),
    recoveryCodes: (await listCodes(db, customerId)).map(({ created_at, used_at }) => ({
      createdAt: created_at.toISOString(),
      usedAt: isoOrNull(used_at),
    })),
    resetAskedAt: isoOrNull(times?.reset_asked_at),
    underWay: (await listUnderWay(db, customerId)).map((row) => ({
      purpose: row.purpose,
      tries: row.tries,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    })),
  }
}
