import { randomUUID } from 'node:crypto'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { commandOf } from '@hedgerow/contract/console/operator-endpoint'
import { ruleOf } from '@hedgerow/domain/consequences'
import { type Permission, permissionsOf, rolesWith } from '@hedgerow/domain/operator-roles'
import { CONFIRMED_BY, MOST_WAITING } from '@hedgerow/domain/second-person'
import { holdCaller, type OperatorCaller } from '#people/operators/guard-operators.ts'
import { findOperator } from '#people/operators/operators.queries.ts'
import {
  countOpen,
  endAsked,
  findAsked,
  insertAsked,
  isAlone,
  lockAsked,
  markConfirmed,
  useConfirmation,
} from '#people/operators/second-person.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { SecondPersonFacts } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export {
  areLetInByEachOther,
  deleteOldSecondPersons,
  endAsked,
  listWaiting,
} from '#people/operators/second-person.queries.ts'

/** Undoes the act's transaction; what was to be done is kept for another operator to confirm. */
export class NeedsSecondPerson extends Error {
  readonly facts: SecondPersonFacts
  /** What is sent when it is confirmed, where that is more than was sent now. */
  readonly sends: object
  constructor(facts: SecondPersonFacts, sends: object = {}) {
    super('another operator has to confirm it')
    this.facts = facts
    this.sends = sends
  }
}

/**
 * In the act's own transaction, with everything locked that `facts` says: so that what was confirmed is done once, and only
 * as it was shown. Throws NeedsSecondPerson, and 'second-person-changed' where it was confirmed for something else.
 */
export const requireSecondPerson = async (
  trx: Trx,
  operator: OperatorCaller,
  facts: SecondPersonFacts,
  sends?: object,
): Promise<void> => {
  // Who has the shell has the database.
  if (operator.by === 'shell') return
  if (operator.by !== 'confirmed') throw new NeedsSecondPerson(facts, sends)
  if (!(await useConfirmation(trx, operator.secondPersonId, facts)))
    throw new Problem('second-person-changed')
}

type Sent = { params: unknown; body: unknown }

/** Keeps what was to be done, and mails the operators. Always throws 'second-person', or 'second-persons-full'. */
export const askSecondPerson = async (
  { db }: With<'db'>,
  operator: OperatorCaller,
  endpoint: OperatorEndpoint,
  { params, body }: Sent,
  { facts, sends }: NeedsSecondPerson,
): Promise<never> => {
  const { second } = ruleOf(endpoint.consequence)
  if (second === 'never') throw new Error(`${endpoint.url} brings about nothing that takes a second person`)
  const isFull = await db.transaction().execute(async (trx) => {
    await holdCaller(trx, operator)
    if ((await countOpen(trx, operator.id)) >= MOST_WAITING) return true
    const id = randomUUID()
    const isNew = await insertAsked(trx, {
      id,
      operator_id: operator.id,
      call: `${endpoint.method} ${endpoint.url}`,
      command: commandOf(endpoint) ?? endpoint.url,
      permission: CONFIRMED_BY[second],
      params: (params ?? {}) as object,
      body: { ...(body as object | undefined), ...sends },
      facts,
    })
    if (isNew) await addJob(trx, 'mail-second-person', { secondPersonId: id })
    return false
  })
  throw new Problem(isFull ? 'second-persons-full' : 'second-person')
}

/** Whether nobody but the asker can get in who may confirm it. */
export const isAskerAlone = (
  { db }: With<'db'>,
  asked: { operator_id: string; permission: string },
): Promise<boolean> => isAlone(db, asked.operator_id, rolesWith(asked.permission as Permission))

export type Confirmed = { call: string; sent: { params: object; body: object }; as: OperatorCaller }

/**
 * Confirms it as another operator, or as the asker where nobody else could and SECOND_PERSON_HOURS.alone have passed. Returns
 * what is to be done now, and as whom; undefined where it is done already. May be repeated: the act itself uses it up.
 */
export const confirm = ({ db }: With<'db'>, id: string, by: OperatorCaller): Promise<Confirmed | undefined> =>
  db.transaction().execute(async (trx) => {
    await holdCaller(trx, by)
    const asked = await lockAsked(trx, id, by.id)
    if (!asked) throw new Problem('second-person-not-found')
    if (asked.outcome === 'done') return undefined
    if (asked.outcome !== null || asked.is_expired) throw new Problem('second-person-over')
    const permission = asked.permission as Permission
    if (!by.permissions.has(permission)) throw new Problem('not-permitted')
    if (by.id === asked.operator_id && !(asked.has_waited && (await isAskerAlone({ db: trx }, asked))))
      throw new Problem('second-person-self')
    if (asked.is_let_in) throw new Problem('second-person-let-in')
    const asker = await findOperator(trx, asked.operator_id)
    if (!asker || asker.ended_at) throw new Problem('second-person-changed')
    await markConfirmed(trx, id, by.id)
    return {
      call: asked.call,
      sent: { params: asked.params, body: asked.body },
      as: {
        id: asker.id,
        name: asker.name,
        role: asker.role,
        permissions: new Set(permissionsOf(asker.role)),
        endsAt: asked.expires_at,
        by: 'confirmed',
        secondPersonId: id,
        confirmedBy: { id: by.id, name: by.name },
      },
    }
  })

/** By the asker, or by one who might have confirmed it. Throws 'second-person-not-found', also where it is over. */
export const withdraw = async ({ db }: With<'db'>, id: string, by: OperatorCaller): Promise<void> => {
  const asked = await findAsked(db, id)
  const may = asked && (asked.operator_id === by.id || by.permissions.has(asked.permission as Permission))
  if (!may || !(await endAsked(db, id, 'withdrawn'))) throw new Problem('second-person-not-found')
}

export const isDone = async ({ db }: With<'db'>, id: string): Promise<boolean> =>
  (await findAsked(db, id))?.outcome === 'done'
