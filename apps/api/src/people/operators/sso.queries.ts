import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

type Identity = { issuer: string; subject: string }

/** Whose it is, also of one who has gone. */
export const findIdentity = (trx: Trx, { issuer, subject }: Identity) =>
  trx
    .selectFrom('operator_identities')
    .innerJoin('operators', 'operators.id', 'operator_id')
    .selectAll('operators')
    .select('by_groups')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const insertIdentity = (
  trx: Trx,
  { issuer, subject }: Identity,
  operatorId: string,
  byGroups: boolean,
) =>
  trx
    .insertInto('operator_identities')
    .values({ issuer, subject, operator_id: operatorId, by_groups: byGroups })
    .execute()

export const noteIdentityUse = (trx: Trx, { issuer, subject }: Identity) =>
  trx
    .updateTable('operator_identities')
    .set({ last_used_at: sql<Date>`now()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()

export const isLinked = async ({ db }: { db: Db }, operatorId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('operator_identities')
    .select('subject')
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return row !== undefined
}

/** Who came by a group gets in by the provider alone, so that it decides; owners keep their passkeys for the day it is down. */
export const comesBySsoAlone = async (trx: Trx, operatorId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('operator_identities')
    .innerJoin('operators', 'operators.id', 'operator_id')
    .select('subject')
    .where('operator_id', '=', operatorId)
    .where('by_groups', '=', true)
    .where('role', '<>', 'owner')
    .executeTakeFirst()
  return row !== undefined
}

/** What an operator has linked; who came by a group is who the provider says. */
export const deleteLinks = (trx: Trx, operatorId: string) =>
  trx
    .deleteFrom('operator_identities')
    .where('operator_id', '=', operatorId)
    .where('by_groups', '=', false)
    .execute()

export const deleteSessionsOf = (trx: Trx, operatorId: string) =>
  trx.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute()
