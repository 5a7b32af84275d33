import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { AuthChallengeRow, ChallengePurpose } from '#platform/database/tables/security.table.ts'

const MINUTES: Readonly<Record<ChallengePurpose, number>> = {
  'log-in': 5,
  'second-step': 10,
  'ask-again': 5,
  'add-passkey': 5,
}

/** So many wrong answers end a ticket. */
const MOST_TRIES = 5

const CHALLENGE_BYTES = 32

export type Challenge = { ticket: string; challenge: string }

const endOf = (purpose: ChallengePurpose): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(mins => ${sql.lit(MINUTES[purpose])})`

const newChallenge = (): Challenge => ({
  ticket: newToken(),
  challenge: randomBytes(CHALLENGE_BYTES).toString('base64url'),
})

/** What is to be answered with the ticket, once. */
export const createChallenge = async (
  db: Db,
  purpose: Exclude<ChallengePurpose, 'second-step'>,
  customerId?: string,
): Promise<Challenge> => {
  const made = newChallenge()
  await db
    .insertInto('auth_challenges')
    .values({
      token_hash: hashToken(made.ticket),
      purpose,
      customer_id: customerId ?? null,
      challenge: made.challenge,
      expires_at: endOf(purpose),
    })
    .execute()
  return made
}

/**
 * For a caller who has just shown the password. Undefined when it is no longer the one that was checked: a change under way,
 * which ends what was begun with the old one, is waited for.
 */
export const createSecondStep = async (
  db: Db,
  { id, password_hash }: { id: string; password_hash: string },
): Promise<Challenge | undefined> => {
  const made = newChallenge()
  const row = await db
    .insertInto('auth_challenges')
    .columns(['token_hash', 'purpose', 'customer_id', 'challenge', 'expires_at'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select([
          sql<Buffer>`${hashToken(made.ticket)}::bytea`.as('token_hash'),
          sql<ChallengePurpose>`'second-step'`.as('purpose'),
          'id',
          sql<string>`${made.challenge}::text`.as('challenge'),
          endOf('second-step').as('expires_at'),
        ])
        .where('id', '=', id)
        .where('password_hash', '=', password_hash)
        .forShare(),
    )
    .returning('customer_id')
    .executeTakeFirst()
  return row && made
}

const ofTicket = (ticket: string, purpose: ChallengePurpose) =>
  sql<boolean>`token_hash = ${hashToken(ticket)} and purpose = ${purpose} and expires_at > now()`

/**
 * What a ticket was given for, as long as it works; counts as a try, so that there are no more than five. Undefined when it
 * is used up, over, or for something else.
 */
export const tryChallenge = (
  db: Db,
  ticket: string,
  purpose: ChallengePurpose,
): Promise<AuthChallengeRow | undefined> =>
  db
    .updateTable('auth_challenges')
    .set({ tries: sql<number>`tries + 1` })
    .where(ofTicket(ticket, purpose))
    .where('tries', '<', MOST_TRIES)
    .returningAll()
    .executeTakeFirst()

/** Whether a wrong answer was the last that the ticket takes. */
export const isLastTry = ({ tries }: AuthChallengeRow): boolean => tries >= MOST_TRIES

/** The same without counting: for what is asked on the way. */
export const findChallenge = (
  db: Db,
  ticket: string,
  purpose: ChallengePurpose,
): Promise<AuthChallengeRow | undefined> =>
  db
    .selectFrom('auth_challenges')
    .selectAll()
    .where(ofTicket(ticket, purpose))
    .where('tries', '<', MOST_TRIES)
    .executeTakeFirst()

/** Whether it was not answered rightly yet; one that is answered in this moment is waited for. */
export const isChallengeThere = async (trx: Trx, { token_hash }: AuthChallengeRow): Promise<boolean> => {
  const row = await trx
    .selectFrom('auth_challenges')
    .select('purpose')
    .where('token_hash', '=', token_hash)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** It was answered rightly: of several who answer at once, one gets true. */
export const useChallenge = async (db: Db | Trx, { token_hash }: AuthChallengeRow): Promise<boolean> => {
  const row = await db
    .deleteFrom('auth_challenges')
    .where('token_hash', '=', token_hash)
    .returning('purpose')
    .executeTakeFirst()
  return row !== undefined
}
