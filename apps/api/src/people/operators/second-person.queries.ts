import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { LET_IN_DAYS, SECOND_PERSON_HOURS } from '@hedgerow/domain/second-person'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type { SecondPersonFacts, SecondPersonOutcome } from '#platform/database/tables/operators.table.ts'

/** The operator and who has let them in alone, lately. */
const behind = (operator: 'one' | 'other') => sql`array[${sql.ref(`${operator}.id`)},
  case when ${sql.ref(`${operator}.let_in_at`)} > now() - make_interval(days => ${sql.lit(LET_IN_DAYS)})
    then ${sql.ref(`${operator}.let_in_by`)} end]`

/** One of two operators has let the other in alone, lately, or a third has both: they do not count as two. */
const areOne = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from operators as one, operators as other
    where one.id = ${one} and other.id = ${other} and one.id <> other.id and ${behind('one')} && ${behind('other')})`

/** Whether an operator and the one who asked do not count as two. */
const isLetIn = (operatorId: string) => areOne(sql`${operatorId}::uuid`, sql`second_persons.operator_id`)

export const areLetInByEachOther = async (db: Db, one: string, other: string): Promise<boolean> => {
  const { are } = await db
    .selectNoFrom(areOne(sql`${one}::uuid`, sql`${other}::uuid`).as('are'))
    .executeTakeFirstOrThrow()
  return are
}

const json = (value: unknown) => sql<string>`${JSON.stringify(value)}::jsonb`

type NewAsked = {
  id: string
  operator_id: string
  call: string
  command: string
  permission: string
  params: object
  body: object
  facts: SecondPersonFacts
}

/** What expired is over, so that the same can be asked for anew. */
const endExpired = (trx: Trx, operatorId: string) =>
  trx
    .updateTable('second_persons')
    .set({ ended_at: sql<Date>`now()`, outcome: 'expired' })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()

export const countOpen = async (trx: Trx, operatorId: string): Promise<number> => {
  await endExpired(trx, operatorId)
  const { open } = await trx
    .selectFrom('second_persons')
    .select(({ fn }) => fn.countAll<string>().as('open'))
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** False where the same is asked for already. */
export const insertAsked = async (trx: Trx, { params, body, facts, ...row }: NewAsked): Promise<boolean> => {
  const inserted = await trx
    .insertInto('second_persons')
    .values({
      ...row,
      params: json(params),
      body: json(body),
      facts: json(facts),
      expires_at: sql<Date>`now() + make_interval(hours => ${sql.lit(SECOND_PERSON_HOURS.expires)})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** What waits, and who could do it, the newest first. */
export const listWaiting = (db: Db, readerId: string) =>
  db
    .selectFrom('second_persons')
    .innerJoin('operators', 'operators.id', 'second_persons.operator_id')
    .select([
      'second_persons.id',
      'second_persons.operator_id',
      'operators.name as asker',
      'second_persons.command',
      'second_persons.permission',
      'second_persons.facts',
      'second_persons.asked_at',
      'second_persons.expires_at',
      sql<Date>`asked_at + make_interval(hours => ${sql.lit(SECOND_PERSON_HOURS.alone)})`.as('alone_from'),
      isLetIn(readerId).as('is_let_in'),
    ])
    .where('second_persons.ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('asked_at', 'desc')
    .orderBy('second_persons.id')
    .limit(200)
    .execute()

/** Locked, so that those who confirm it take turns. */
export const lockAsked = (trx: Trx, id: string, byId: string) =>
  trx
    .selectFrom('second_persons')
    .selectAll()
    .select([
      sql<boolean>`expires_at <= now()`.as('is_expired'),
      isLetIn(byId).as('is_let_in'),
      sql<boolean>`asked_at <= now() - make_interval(hours => ${sql.lit(SECOND_PERSON_HOURS.alone)})`.as(
        'has_waited',
      ),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const findAsked = (db: Db, id: string) =>
  db.selectFrom('second_persons').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether anyone but the asker could confirm it: they can get in, and have a role that may. */
export const isAlone = async (db: Db, askerId: string, roles: readonly OperatorRole[]): Promise<boolean> => {
  const { rows } = await sql<{ others: boolean }>`
    select exists (select from operators
      where id <> ${askerId} and not ${areOne(sql`operators.id`, sql`${askerId}::uuid`)} and ended_at is null and role = any(${roles}::text[])
        and (password_hash is not null or exists (select from operator_passkeys where operator_id = operators.id))
    ) as others`.execute(db)
  return !rows[0]?.others
}

export const markConfirmed = async (trx: Trx, id: string, operatorId: string): Promise<void> => {
  await trx
    .updateTable('second_persons')
    .set({ confirmed_by: operatorId, confirmed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export const endAsked = async (db: Db, id: string, outcome: SecondPersonOutcome): Promise<boolean> => {
  const row = await db
    .updateTable('second_persons')
    .set({ ended_at: sql<Date>`now()`, outcome })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses it up, within the act: false where it was confirmed for something else, or not at all. Of two at once one gets true. */
export const useConfirmation = async (trx: Trx, id: string, facts: SecondPersonFacts): Promise<boolean> => {
  const row = await trx
    .updateTable('second_persons')
    .set({ ended_at: sql<Date>`now()`, outcome: 'done' })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('confirmed_at', 'is not', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`facts = ${json(facts)}`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** What an operator asked for who may no longer be the one who asks. */
export const endAllAskedBy = async (trx: Trx, operatorId: string): Promise<void> => {
  await trx
    .updateTable('second_persons')
    .set({ ended_at: sql<Date>`now()`, outcome: 'withdrawn' })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** As long as the record of what operators did. */
export const deleteOldSecondPersons = async (db: Db): Promise<void> => {
  await deleteDue(db, 'second_persons', sql`asked_at < now() - interval '2 years'`)
}
