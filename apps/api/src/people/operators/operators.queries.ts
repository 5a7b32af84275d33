import {
  mayRole,
  OPERATOR_IDLE_MINUTES,
  OPERATOR_ROLES,
  OPERATOR_SESSION_HOURS,
  type OperatorRole,
  type Permission,
  permissionsOf,
} from '@hedgerow/domain/operator-roles'
import { sql } from 'kysely'
import { endAllAskedBy } from '#people/operators/second-person.queries.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { OperatorRow } from '#platform/database/tables/operators.table.ts'

const INVITED_HOURS = 48

const SESSION_LASTS = sql<boolean>`operator_sessions.last_used_at > now() - make_interval(mins => ${sql.lit(OPERATOR_IDLE_MINUTES)})
  and operator_sessions.created_at > now() - make_interval(hours => ${sql.lit(OPERATOR_SESSION_HOURS)})`

export const findOperator = (db: Db, id: string): Promise<OperatorRow | undefined> =>
  db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()

/** Also one who has gone. */
export const findByName = (db: Db, name: string): Promise<OperatorRow | undefined> =>
  db.selectFrom('operators').selectAll().where(sql`lower(name)`, '=', name.toLowerCase()).executeTakeFirst()

export const findActiveByName = async (db: Db, name: string): Promise<OperatorRow | undefined> => {
  const operator = await findByName(db, name)
  return operator?.ended_at ? undefined : operator
}

/** Changes of who may log in take turns, so that the last owner cannot be lost by two at once. */
export const lockOperators = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('operators'))`.execute(trx)
}

/** False where the name is, or was, taken. */
export const insertOperator = async (
  db: Db,
  row: { id: string; name: string; role: OperatorRole },
): Promise<boolean> => {
  const inserted = await db
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Who alone decided that they get in, as what they are. */
const noteLetIn = (trx: Trx, id: string, letInBy: string | null) =>
  trx
    .updateTable('operators')
    .set({ let_in_by: letInBy, let_in_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()

/** Links that were given before open nothing any more. Returns until when this one works. */
export const insertInvitation = async (
  db: Trx,
  operatorId: string,
  token: string,
  invitedBy: string | null,
  letInBy: string | null,
): Promise<Date> => {
  await noteLetIn(db, operatorId, letInBy)
  await db.deleteFrom('operator_invitations').where('operator_id', '=', operatorId).execute()
  const { expires_at } = await db
    .insertInto('operator_invitations')
    .values({
      token_hash: hashToken(token),
      operator_id: operatorId,
      invited_by: invitedBy,
      is_by_tool: invitedBy === null,
      expires_at: sql<Date>`now() + make_interval(hours => ${sql.lit(INVITED_HOURS)})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

const INVITING_ROLES = OPERATOR_ROLES.filter((role) => mayRole(role, 'operators.change'))

/** It opens as long as who made it may let others in. */
const ofLink = (token: string) =>
  sql<boolean>`token_hash = ${hashToken(token)} and used_at is null and expires_at > now()
    and (is_by_tool or exists (select from operators as inviters
      where inviters.id = operator_invitations.invited_by and inviters.ended_at is null
        and inviters.role = any(${INVITING_ROLES}::text[])))`

export const findInvited = (db: Db, token: string): Promise<OperatorRow | undefined> =>
  db
    .selectFrom('operator_invitations')
    .innerJoin('operators', 'operators.id', 'operator_invitations.operator_id')
    .selectAll('operators')
    .where(ofLink(token))
    .where('operators.ended_at', 'is', null)
    .executeTakeFirst()

/** Of several who use it at once, one gets true. */
export const useInvitation = async (trx: Trx, token: string): Promise<boolean> => {
  const row = await trx
    .updateTable('operator_invitations')
    .set({ used_at: sql<Date>`now()` })
    .where(ofLink(token))
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Newest first, those who have gone last. */
export const listOperatorRows = (db: Db) =>
  db
    .selectFrom('operators')
    .select(({ selectFrom, fn, ref }) => [
      'id',
      'name',
      'role',
      'created_at',
      'ended_at',
      sql<boolean>`password_hash is not null`.as('has_password'),
      selectFrom('operator_passkeys')
        .select(fn.countAll<number>().as('n'))
        .where('operator_id', '=', ref('operators.id'))
        .as('passkeys'),
      selectFrom('operator_sessions')
        .select(fn.countAll<number>().as('n'))
        .where('operator_id', '=', ref('operators.id'))
        .where(SESSION_LASTS)
        .as('sessions'),
      selectFrom('operator_tokens')
        .select(fn.countAll<number>().as('n'))
        .where('operator_id', '=', ref('operators.id'))
        .where('expires_at', '>', sql<Date>`now()`)
        .as('tokens'),
      selectFrom('operator_sessions')
        .select(sql<Date | null>`max(operator_sessions.last_used_at)`.as('at'))
        .where('operator_id', '=', ref('operators.id'))
        .as('last_seen_at'),
      selectFrom('operator_invitations')
        .select('expires_at')
        .where('operator_id', '=', ref('operators.id'))
        .where('used_at', 'is', null)
        .where('expires_at', '>', sql<Date>`now()`)
        .limit(1)
        .as('invited_until'),
    ])
    .orderBy(sql`ended_at is not null`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Owners who can get in: they have a passkey or a password, and have not gone. */
export const countOwners = async (db: Db, but?: string): Promise<number> => {
  const { rows } = await sql<{ owners: number }>`
    select count(*)::integer as owners from operators
    where role = 'owner' and ended_at is null and id is distinct from ${but ?? null}
      and (password_hash is not null or exists (select from operator_passkeys where operator_id = operators.id))`.execute(
    db,
  )
  return rows[0]?.owners ?? 0
}

/** Whether no operator can log in yet. */
export const isNobodyIn = async (db: Db): Promise<boolean> => (await countOwners(db)) === 0

/** False where there is none, or they have gone. */
export const updateRole = async (
  trx: Trx,
  id: string,
  role: OperatorRole,
  letInBy: string | null,
): Promise<boolean> => {
  await noteLetIn(trx, id, letInBy)
  const row = await trx
    .updateTable('operators')
    .set({ role })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const markEnded = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx
    .updateTable('operators')
    .set({ ended_at: sql<Date>`now()`, password_hash: null, totp_encrypted: null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Links that an operator has made for others, and that were not used yet. */
const deleteMadeInvitations = (trx: Trx, id: string) =>
  trx.deleteFrom('operator_invitations').where('invited_by', '=', id).where('used_at', 'is', null).execute()

/** What an operator's new role has no right to: tokens that may do more, and links for others. */
export const deleteBeyondRole = async (trx: Trx, id: string, role: OperatorRole): Promise<void> => {
  await trx
    .deleteFrom('operator_tokens')
    .where('operator_id', '=', id)
    .where(sql<boolean>`not permissions <@ ${permissionsOf(role)}::text[]`)
    .execute()
  if (!mayRole(role, 'operators.change')) await deleteMadeInvitations(trx, id)
}

/** Whether an operator who has not gone has anything to get in by. */
export const hasWayIn = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql`select from operators where id = ${id} and ended_at is null
    and (password_hash is not null or exists (select from operator_passkeys where operator_id = ${id}))`.execute(
    db,
  )
  return rows.length > 0
}

/** All that an operator gets in by and has others let in by, and where they are in. */
export const deleteWaysIn = async (trx: Trx, id: string): Promise<void> => {
  await deleteMadeInvitations(trx, id)
  await trx.deleteFrom('operator_sessions').where('operator_id', '=', id).execute()
  await trx.deleteFrom('operator_tokens').where('operator_id', '=', id).execute()
  await trx.deleteFrom('operator_passkeys').where('operator_id', '=', id).execute()
  await trx.deleteFrom('operator_invitations').where('operator_id', '=', id).execute()
  await trx.deleteFrom('operator_challenges').where('operator_id', '=', id).execute()
  await trx
    .deleteFrom('operator_identities')
    .where('operator_id', '=', id)
    .where('by_groups', '=', false)
    .execute()
  await endAllAskedBy(trx, id)
  await trx
    .updateTable('operators')
    .set({ password_hash: null, totp_encrypted: null })
    .where('id', '=', id)
    .execute()
}

export const listOperatorPasskeys = (db: Db, operatorId: string) =>
  db
    .selectFrom('operator_passkeys')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findOperatorPasskey = (db: Db, credentialId: string) =>
  db
    .selectFrom('operator_passkeys')
    .innerJoin('operators', 'operators.id', 'operator_passkeys.operator_id')
    .selectAll('operator_passkeys')
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .where('operators.ended_at', 'is', null)
    .executeTakeFirst()

/** False where it counts no further than before, as a copy would. Synced passkeys may count nothing at all. */
export const notePasskeyUse = async (db: Db, id: string, counter: number): Promise<boolean> => {
  const row = await db
    .updateTable('operator_passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** False where a passkey has that id already. */
export const insertOperatorPasskey = async (
  trx: Trx,
  row: {
    id: string
    operator_id: string
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: string[]
    is_synced: boolean
    name: string
  },
): Promise<boolean> => {
  const inserted = await trx
    .insertInto('operator_passkeys')
    .values({ ...row, last_used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const deleteOperatorPasskey = async (trx: Trx, operatorId: string, id: string): Promise<boolean> => {
  const row = await trx
    .deleteFrom('operator_passkeys')
    .where('operator_id', '=', operatorId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const savePassword = async (
  trx: Trx,
  id: string,
  { passwordHash, totp }: { passwordHash: string | null; totp: { sealed: Buffer; step: number } | null },
): Promise<void> => {
  await trx
    .updateTable('operators')
    .set({
      password_hash: passwordHash,
      totp_encrypted: totp?.sealed ?? null,
      totp_last_step: totp?.step ?? 0,
    })
    .where('id', '=', id)
    .execute()
}

/** A code's step counts once, and none before it: of several who send the same code, one gets true. */
export const takeStep = async (db: Db | Trx, id: string, step: number): Promise<boolean> => {
  const row = await db
    .updateTable('operators')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where('totp_last_step', '<', step)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listOwnSessions = (db: Db, operatorId: string) =>
  db
    .selectFrom('operator_sessions')
    .select(['id', 'browser', 'network', 'created_at', 'last_used_at'])
    .where('operator_id', '=', operatorId)
    .where(SESSION_LASTS)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()

/** One of an operator's, or all but one. Returns how many there were. */
export const deleteOwnSessions = async (
  db: Db,
  operatorId: string,
  which: { only: string } | { allBut: string },
): Promise<number> => {
  const rows = await db
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .$if('only' in which, (query) => query.where('id', '=', 'only' in which ? which.only : ''))
    .$if('allBut' in which, (query) => query.where('id', '<>', 'allBut' in which ? which.allBut : ''))
    .returning('id')
    .execute()
  return rows.length
}

/** It was proved now; the session goes on by another token. False where it has ended, or another proof came before. */
export const replaceSessionToken = async (db: Db, oldToken: string, newToken: string): Promise<boolean> => {
  const row = await db
    .updateTable('operator_sessions')
    .set({ token_hash: hashToken(newToken), proved_at: sql<Date>`now()`, last_used_at: sql<Date>`now()` })
    .where('token_hash', '=', hashToken(oldToken))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listOwnTokens = (db: Db, operatorId: string) =>
  db
    .selectFrom('operator_tokens')
    .select(['id', 'name', 'permissions', 'created_at', 'expires_at', 'last_used_at'])
    .where('operator_id', '=', operatorId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

type NewToken = {
  id: string
  token: string
  operatorId: string
  name: string
  permissions: Permission[]
  days: number
}

export const insertToken = async (db: Db, { id, token, operatorId, name, permissions, days }: NewToken) => {
  await db
    .insertInto('operator_tokens')
    .values({
      id,
      token_hash: hashToken(token),
      operator_id: operatorId,
      name,
      permissions,
      expires_at: sql<Date>`now() + make_interval(days => ${days})`,
      last_used_at: null,
    })
    .execute()
}

export const deleteOwnToken = async (db: Db, operatorId: string, id: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('operator_tokens')
    .where('operator_id', '=', operatorId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** What opens nothing any more: sessions, links, tickets and tokens of time past. */
export const deleteEndedOfOperators = async (db: Db): Promise<void> => {
  await deleteDue(db, 'operator_sessions', sql`not (${SESSION_LASTS})`)
  await deleteDue(db, 'operator_challenges', sql`expires_at < now()`)
  for (const table of ['operator_invitations', 'operator_tokens'] as const)
    await deleteDue(db, table, sql`expires_at < now() - interval '30 days'`)
}
