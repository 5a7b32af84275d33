import { QUESTION_LINK_DAYS } from '@hedgerow/domain/conversations'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

/** Questions of visitors are counted and let in one after the other. */
export const waitForTurn = (trx: Trx) =>
  sql`select pg_advisory_xact_lock(hashtext('visitors questions'))`.execute(trx)

/** How many wait for an answer, and how many of the last hour are held until their link is opened. */
export const countQuestions = async (trx: Trx) => {
  const { rows } = await sql<{ waiting: number; held_of_hour: number }>`
    select
      (select count(*)::int from conversations where customer_id is null and state = 'new' and not is_held) as waiting,
      (select count(*)::int from conversations where is_held and created_at > now() - interval '1 hour') as held_of_hour`.execute(
    trx,
  )
  return rows[0] ?? { waiting: 0, held_of_hour: 0 }
}

/** The conversation that a link opens, until its days are over. */
export const findByLink = (db: Db, linkHash: Buffer) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('link_hash', '=', linkHash)
    .where('last_message_at', '>', sql<Date>`now() - make_interval(days => ${QUESTION_LINK_DAYS})`)
    .executeTakeFirst()

export const markOpened = (trx: Trx, id: string) =>
  trx
    .updateTable('conversations')
    .set({ link_opened_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('link_opened_at', 'is', null)
    .execute()

const heldOf = (email: string) =>
  sql<boolean>`is_held and customer_id is null and lower(email) = ${email.toLowerCase()}`

export const hasHeld = async (db: Db, email: string): Promise<boolean> => {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where(heldOf(email))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All that are held of an address: opening one link proves that its mails are read. Returns which those were. */
export const releaseHeld = (trx: Trx, email: string) =>
  trx.updateTable('conversations').set({ is_held: false }).where(heldOf(email)).returning('id').execute()

export const findQuestion = (db: Db, id: string) =>
  db.selectFrom('conversations').select('id').where('id', '=', id).executeTakeFirst()

export const isHeld = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('conversations')
    .select('is_held')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.is_held
}
