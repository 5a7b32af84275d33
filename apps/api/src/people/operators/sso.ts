import { randomUUID } from 'node:crypto'
import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { holdCaller, type OperatorCaller } from '#people/operators/guard-operators.ts'
import { recordIntent } from '#people/operators/operator-actions.ts'
import {
  countOwners,
  deleteBeyondRole,
  deleteWaysIn,
  hasWayIn,
  insertInvitation,
  insertOperator,
  lockOperators,
  updateRole,
} from '#people/operators/operators.queries.ts'
import {
  deleteLinks,
  deleteSessionsOf,
  findIdentity,
  insertIdentity,
  noteIdentityUse,
} from '#people/operators/sso.queries.ts'
import type { Comer, Sso } from '#people/operators/sso-provider.ts'
import { newToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { OperatorRow } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem, type ProblemName } from '#platform/http/problems.ts'

export { isLinked } from '#people/operators/sso.queries.ts'

type Deps = With<'db' | 'settings'>

/** The first group of the settings that they are in; undefined: they have no business here. */
const roleOf = ({ groups: roles }: Sso, groups: readonly string[]): OperatorRole | undefined =>
  roles.find(([group]) => groups.includes(group))?.[1]

const isLastOwner = async (trx: Trx, { id, role }: OperatorRow) =>
  role === 'owner' && (await countOwners(trx, id)) === 0

type Change = { command: string; operator: Pick<OperatorRow, 'id' | 'name'>; role?: OperatorRole }
type Outcome =
  | { kind: 'in'; operator: OperatorRow; invitation: string | null; change?: Change }
  | { kind: 'refused'; why: ProblemName; change?: Change }

/** Who has lost all groups is out at once. The last owner keeps passkey or password: else nobody could let anyone in. */
const shutOut = async (trx: Trx, operator: OperatorRow, byGroups: boolean): Promise<Outcome> => {
  const keepsWaysIn = !byGroups || (await isLastOwner(trx, operator))
  if (keepsWaysIn) await deleteSessionsOf(trx, operator.id)
  else await deleteWaysIn(trx, operator.id)
  return { kind: 'refused', why: 'sso-not-allowed', change: { command: 'operator sso-refuse', operator } }
}

/** The link by which a passkey is made: without one nothing that matters could be done. */
const invitationFor = async (trx: Trx, operatorId: string): Promise<string | null> => {
  if (await hasWayIn(trx, operatorId)) return null
  const token = newToken()
  await insertInvitation(trx, operatorId, token, null, null)
  return token
}

const letInKnown = async (
  trx: Trx,
  comer: Comer,
  found: OperatorRow & { by_groups: boolean },
  role: OperatorRole | undefined,
): Promise<Outcome> => {
  const { by_groups: byGroups, ...operator } = found
  if (operator.ended_at) return { kind: 'refused', why: 'sso-not-allowed' }
  if (!role) return shutOut(trx, operator, byGroups)
  await noteIdentityUse(trx, comer)
  const invitation = await invitationFor(trx, operator.id)
  if (!byGroups || role === operator.role || (await isLastOwner(trx, operator)))
    return { kind: 'in', operator, invitation }
  await updateRole(trx, operator.id, role, null)
  await deleteBeyondRole(trx, operator.id, role)
  return {
    kind: 'in',
    operator: { ...operator, role },
    invitation,
    change: { command: 'operator role', operator, role },
  }
}

const LONGEST_NAME = 60

/** Nobody is taken for another because of a name: one that is, or was, taken here is refused. */
const provision = async (trx: Trx, comer: Comer, role: OperatorRole): Promise<Outcome> => {
  const name = comer.name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim()
  const id = randomUUID()
  if (!name || name.length > LONGEST_NAME || !(await insertOperator(trx, { id, name, role })))
    return { kind: 'refused', why: 'sso-name-taken' }
  await insertIdentity(trx, comer, id, true)
  const invitation = await invitationFor(trx, id)
  const found = await findIdentity(trx, comer)
  if (!found) throw new Error('The operator is not there')
  return {
    kind: 'in',
    operator: found,
    invitation,
    change: { command: 'operator add', operator: found, role },
  }
}

const told = async (deps: Deps, outcome: Outcome): Promise<Extract<Outcome, { kind: 'in' }>> => {
  if (outcome.change) {
    const { command, operator, role } = outcome.change
    const end = await recordIntent(deps, {
      who: `${operator.name}@sso`,
      command,
      arguments: role ? { role } : {},
      subject: operator.id,
    })
    await end('done')
  }
  if (outcome.kind === 'refused') throw new Problem(outcome.why)
  return outcome
}

/** Who has come, with the token of an invitation where they have yet to make a passkey. Throws why they are not let in. */
export const letInBySso = async (deps: Deps & { sso: Sso }, comer: Comer) => {
  const role = roleOf(deps.sso, comer.groups)
  const outcome = await deps.db.transaction().execute(async (trx): Promise<Outcome> => {
    await lockOperators(trx)
    const found = await findIdentity(trx, comer)
    if (found) return letInKnown(trx, comer, found, role)
    return role ? provision(trx, comer, role) : { kind: 'refused', why: 'sso-not-allowed' }
  })
  return told(deps, outcome)
}

/** Makes an operator who is logged in known by what the provider calls them. */
export const linkSso = async (deps: Deps & { sso: Sso }, comer: Comer, operatorId: string): Promise<void> => {
  if (!roleOf(deps.sso, comer.groups)) throw new Problem('sso-not-allowed')
  await deps.db.transaction().execute(async (trx) => {
    await lockOperators(trx)
    const found = await findIdentity(trx, comer)
    if (found && found.id !== operatorId) throw new Problem('sso-taken')
    if (!(await hasWayIn(trx, operatorId))) throw new Problem('sso-over')
    if (!found) await insertIdentity(trx, comer, operatorId, false)
  })
}

export const unlinkSso = ({ db }: With<'db'>, caller: OperatorCaller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdCaller(trx, caller)
    await deleteLinks(trx, caller.id)
  })
