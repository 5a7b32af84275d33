import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'

/** What a ticket was given for. */
export type Purpose = 'code' | 'passkey log-in' | 'passkey' | 'app' | 'proof' | 'sso'

/** Long enough to find the phone and to scan a code. */
const MINUTES = 10
/** So many wrong answers end a ticket. */
const MOST_TRIES = 5

export type Asked = {
  token_hash: Buffer
  purpose: string
  operator_id: string | null
  challenge: string
  tries: number
}

/** Returns the ticket, which goes back with the answer, and the challenge. */
export const askFor = async (
  db: Db,
  purpose: Purpose,
  operatorId: string | null,
  challenge = randomBytes(32).toString('base64url'),
): Promise<{ ticket: string; challenge: string }> => {
  const ticket = newToken()
  await db
    .insertInto('operator_challenges')
    .values({
      token_hash: hashToken(ticket),
      purpose,
      operator_id: operatorId,
      challenge,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(MINUTES)})`,
    })
    .execute()
  return { ticket, challenge }
}

/** What was asked with a ticket, as long as it works; counts as a try. */
export const tryAnswer = (db: Db, ticket: string, purpose: Purpose): Promise<Asked | undefined> =>
  db
    .updateTable('operator_challenges')
    .set({ tries: sql<number>`tries + 1` })
    .where('token_hash', '=', hashToken(ticket))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('tries', '<', MOST_TRIES)
    .returning(['token_hash', 'purpose', 'operator_id', 'challenge', 'tries'])
    .executeTakeFirst()

/** What an operator was asked and has not answered. */
export const deleteAsked = (trx: Trx, operatorId: string) =>
  trx.deleteFrom('operator_challenges').where('operator_id', '=', operatorId).execute()

/** It was answered rightly: of several who answer at once, one gets true. */
export const useAnswer = async (db: Db | Trx, { token_hash }: Asked): Promise<boolean> => {
  const row = await db
    .deleteFrom('operator_challenges')
    .where('token_hash', '=', token_hash)
    .returning('purpose')
    .executeTakeFirst()
  return row !== undefined
}
