import { OPERATOR_IDLE_MINUTES, OPERATOR_SESSION_HOURS } from '@hedgerow/domain/operator-roles'
import { type RawBuilder, sql } from 'kysely'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Db } from '#platform/database/client.ts'
import type { OperatorRow } from '#platform/database/tables/operators.table.ts'
import type { Visitor } from '#platform/http/visitor.ts'

const ENDS = sql`least(
  operator_sessions.last_used_at + make_interval(mins => ${sql.lit(OPERATOR_IDLE_MINUTES)}),
  operator_sessions.created_at + make_interval(hours => ${sql.lit(OPERATOR_SESSION_HOURS)}))`
const LASTS = sql<boolean>`operators.ended_at is null and ${ENDS} > now()`

/** `isProved`: whoever begins it has shown a passkey or a code, which counts as a proof for a while. */
export const insertSession = async (
  db: Db,
  operatorId: string,
  token: string,
  { browser, network }: Visitor,
  isProved = true,
): Promise<void> => {
  await db
    .insertInto('operator_sessions')
    .values({
      token_hash: hashToken(token),
      operator_id: operatorId,
      browser,
      network,
      ...(isProved ? {} : { proved_at: sql<Date>`now() - interval '1 day'` }),
    })
    .execute()
}

/** A session that lasts, with its operator; it counts as used, to the minute. */
export const findOperatorSession = async (db: Db, token: string) => {
  const row = await db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select([
      'operator_sessions.id as session_id',
      'operators.id',
      'operators.name',
      'operators.role',
      sql<Date>`operator_sessions.created_at + make_interval(hours => ${sql.lit(OPERATOR_SESSION_HOURS)})`.as(
        'ends_at',
      ),
      sql<number>`extract(epoch from now() - operator_sessions.proved_at)::float8`.as('proof_age_s'),
      sql<boolean>`operator_sessions.last_used_at < now() - interval '1 minute'`.as('is_use_to_be_noted'),
    ])
    .where('token_hash', '=', hashToken(token))
    .where(LASTS)
    .executeTakeFirst()
  if (row?.is_use_to_be_noted)
    await db
      .updateTable('operator_sessions')
      .set({ last_used_at: sql<Date>`now()` })
      .where('id', '=', row.session_id)
      .execute()
  return row
}

const TOKEN_LASTS = sql<boolean>`operator_tokens.expires_at > now()`

const secondsTo = (end: RawBuilder<unknown>) =>
  sql<number>`extract(epoch from ${end} - now())::float8`.as('left')

/** How long an operator's session or token will last unused; undefined when it has ended, or they have another role. */
export const findSecondsLeft = async (
  db: Db,
  { id, role }: Pick<OperatorRow, 'id' | 'role'>,
  by: { sessionId: string } | { tokenId: string },
): Promise<number | undefined> => {
  const theirs = db
    .selectFrom('operators')
    .where('operators.id', '=', id)
    .where('operators.role', '=', role)
    .where('operators.ended_at', 'is', null)
  const query =
    'sessionId' in by
      ? theirs
          .innerJoin('operator_sessions', 'operator_sessions.operator_id', 'operators.id')
          .select(secondsTo(ENDS))
          .where('operator_sessions.id', '=', by.sessionId)
          .where(LASTS)
      : theirs
          .innerJoin('operator_tokens', 'operator_tokens.operator_id', 'operators.id')
          .select(secondsTo(sql`operator_tokens.expires_at`))
          .where('operator_tokens.id', '=', by.tokenId)
          .where(TOKEN_LASTS)
  return (await query.executeTakeFirst())?.left
}

/** A token that has not ended, of an operator who is still one. */
export const findOperatorToken = async (db: Db, token: string) => {
  const row = await db
    .selectFrom('operator_tokens')
    .innerJoin('operators', 'operators.id', 'operator_tokens.operator_id')
    .select([
      'operator_tokens.id as token_id',
      'operator_tokens.name as token_name',
      'operator_tokens.permissions',
      'operator_tokens.expires_at',
      'operators.id',
      'operators.name',
      'operators.role',
      sql<boolean>`coalesce(operator_tokens.last_used_at < now() - interval '1 minute', true)`.as(
        'is_use_to_be_noted',
      ),
    ])
    .where('operator_tokens.token_hash', '=', hashToken(token))
    .where(TOKEN_LASTS)
    .where('operators.ended_at', 'is', null)
    .executeTakeFirst()
  if (row?.is_use_to_be_noted)
    await db
      .updateTable('operator_tokens')
      .set({ last_used_at: sql<Date>`now()` })
      .where('id', '=', row.token_id)
      .execute()
  return row
}

export type NamedOperator = Pick<OperatorRow, 'id' | 'name' | 'role'>
