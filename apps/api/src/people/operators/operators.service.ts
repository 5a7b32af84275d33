import { randomUUID } from 'node:crypto'
import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import type { OperatorRole, Permission } from '@hedgerow/domain/operator-roles'
import { PASSKEY_NAME_LENGTH } from '@hedgerow/domain/passkeys'
import { holdCaller, type OperatorCaller } from '#people/operators/guard-operators.ts'
import { askFor, deleteAsked, tryAnswer, useAnswer } from '#people/operators/operator-challenges.ts'
import {
  countOwners,
  deleteBeyondRole,
  deleteOperatorPasskey,
  deleteOwnSessions,
  deleteWaysIn,
  findByName,
  findInvited,
  findOperator,
  hasWayIn,
  insertInvitation,
  insertOperator,
  insertOperatorPasskey,
  insertToken,
  isNobodyIn,
  listOperatorPasskeys,
  listOwnTokens,
  lockOperators,
  markEnded,
  savePassword,
  takeStep,
  updateRole,
  useInvitation,
} from '#people/operators/operators.queries.ts'
import { requireSecondPerson } from '#people/operators/second-person.ts'
import { consolePlace, type Deps, readOperatorTotp, totpOwner } from '#people/operators/ways-in.ts'
import { creationOptions, readMadePasskey } from '#people/passkeys/make-passkey.ts'
import { hashPassword, namesOfShop, refuseGuessable } from '#people/passwords/passwords.ts'
import { newTotpSecret, stepOf, uriOf } from '#people/second-step/totp.ts'
import { newToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { OperatorRow, SecondPersonFacts } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { visitor } from '#platform/http/visitor.ts'
import type { Settings } from '#platform/settings.ts'

export {
  deleteEndedOfOperators,
  deleteOwnToken,
  findActiveByName,
  listOperatorRows,
  listOwnSessions,
  listOwnTokens,
} from '#people/operators/operators.queries.ts'

type LinkDeps = With<'db'> & { settings: Pick<Settings, 'consoleUrl'> }

export type InvitedOperator = { id: string; link: string; expiresAt: Date }

/** The token stands behind the '#': browsers send that nowhere, and no log has it. */
const linkOf = ({ settings }: LinkDeps, token: string): string => `${settings.consoleUrl}/invitation#${token}`

/** What is done to an owner, or makes one, takes two. Without `by` it is the shop itself that does it. */
const requireSecondFor = async (
  trx: Trx,
  by: OperatorCaller | undefined,
  roles: readonly OperatorRole[],
  facts: SecondPersonFacts,
): Promise<void> => {
  if (by && roles.includes('owner')) await requireSecondPerson(trx, by, facts)
}

/** Changes of who gets in take turns, and are made by who is in. Throws 'operator-not-signed-in'. */
const holdDecider = (trx: Trx, by: OperatorCaller | undefined): Promise<void> =>
  by ? holdCaller(trx, by) : lockOperators(trx)

/** Whoever decided it alone. */
const letInBy = (by: OperatorCaller | undefined): string | null => (by?.by === 'session' ? by.id : null)

/** Returns the link, which is shown once. Throws 'operator-name-taken', also for the name of one who has gone. */
export const inviteOperator = (
  deps: LinkDeps,
  given: { name: string; role: OperatorRole },
  by?: OperatorCaller,
): Promise<InvitedOperator> =>
  deps.db.transaction().execute(async (trx) => {
    await holdDecider(trx, by)
    const id = randomUUID()
    if (!(await insertOperator(trx, { id, ...given }))) throw new Problem('operator-name-taken')
    await requireSecondFor(trx, by, [given.role], { operator: given.name, role: given.role })
    const token = newToken()
    return {
      id,
      link: linkOf(deps, token),
      expiresAt: await insertInvitation(trx, id, token, by?.id || null, letInBy(by)),
    }
  })

const findCurrent = async (trx: Trx, id: string): Promise<OperatorRow> => {
  const operator = await findOperator(trx, id)
  if (!operator || operator.ended_at) throw new Problem('operator-not-found')
  return operator
}

/** Throws 'last-owner' where no one else could let others in. */
const requireOtherOwner = async (trx: Trx, operator: OperatorRow): Promise<void> => {
  if (operator.role === 'owner' && (await countOwners(trx, operator.id)) === 0)
    throw new Problem('last-owner')
}

/**
 * A new link for an operator who has lost their ways in: the old ones open nothing any more. The only owner who can
 * get in gets one by the tool alone. Throws 'operator-not-found' and 'last-owner'.
 */
export const relinkOperator = (deps: LinkDeps, id: string, by?: OperatorCaller): Promise<InvitedOperator> =>
  deps.db.transaction().execute(async (trx) => {
    await holdDecider(trx, by)
    const operator = await findCurrent(trx, id)
    if (by && by.by !== 'shell') await requireOtherOwner(trx, operator)
    await requireSecondFor(trx, by, [operator.role], { operator: operator.name, 'new link': true })
    await deleteWaysIn(trx, id)
    const token = newToken()
    return {
      id,
      link: linkOf(deps, token),
      expiresAt: await insertInvitation(trx, id, token, by?.id || null, letInBy(by)),
    }
  })

/** Holds from their next call on; what was made with a right that the role lacks ends. Throws 'operator-not-found' and 'last-owner'. */
export const setOperatorRole = (
  { db }: With<'db'>,
  id: string,
  role: OperatorRole,
  by?: OperatorCaller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdDecider(trx, by)
    const operator = await findCurrent(trx, id)
    if (role === operator.role) return
    if (role !== 'owner') await requireOtherOwner(trx, operator)
    const { name, role: from } = operator
    await requireSecondFor(trx, by, [from, role], { operator: name, from, role })
    await updateRole(trx, id, role, letInBy(by))
    await deleteBeyondRole(trx, id, role)
  })

/** They get in no more, from this moment on. Throws 'operator-not-found' and 'last-owner'. */
export const endOperator = ({ db }: With<'db'>, id: string, by?: OperatorCaller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdDecider(trx, by)
    const operator = await findCurrent(trx, id)
    await requireOtherOwner(trx, operator)
    await requireSecondFor(trx, by, [operator.role], { operator: operator.name, ends: true })
    await deleteWaysIn(trx, id)
    await markEnded(trx, id)
  })

const passkeyFor = async (deps: Deps, operator: OperatorRow): Promise<PasskeyQuestion> => {
  const made = await askFor(deps.db, 'passkey', operator.id)
  const owner = { id: operator.id, label: operator.name, name: operator.name }
  const passkeys = await listOperatorPasskeys(deps.db, operator.id)
  const options = await creationOptions(consolePlace(deps), made, owner, passkeys)
  return { ticket: made.ticket, options }
}

const sealedText = (deps: Deps, text: string, owner: string) =>
  deps.keyCipher.encryptText(text, owner).toString('base64')

/** A secret for an app; it counts once a code of it has come back with the ticket. */
const appFor = async (deps: Deps, operator: OperatorRow) => {
  const secret = newTotpSecret()
  const sealed = sealedText(deps, secret, totpOwner(operator.id))
  const { ticket } = await askFor(deps.db, 'app', operator.id, sealed)
  return { ticket, secret, uri: uriOf(secret, `${deps.settings.brand.name} console`, operator.name) }
}

const FIRST_OWNER = 'First owner'

/**
 * The link of the first owner, as long as no operator can log in; made anew each time. Undefined when one can. For the
 * terminal of a shop on one's own machine.
 */
export const firstOwnerLink = async (deps: LinkDeps): Promise<string | undefined> => {
  if (!(await isNobodyIn(deps.db))) return undefined
  for (let n = 1; ; n++) {
    const name = n === 1 ? FIRST_OWNER : `${FIRST_OWNER} ${n}`
    const known = await findByName(deps.db, name)
    if (!known) return (await inviteOperator(deps, { name, role: 'owner' })).link
    // Who has gone keeps the name, and who is no owner any more lets no one in.
    if (!known.ended_at && known.role === 'owner') return (await relinkOperator(deps, known.id)).link
  }
}

/** Throws 'invitation-invalid'. */
export const openInvitation = async (deps: Deps, token: string) => {
  const operator = await findInvited(deps.db, token)
  if (!operator) throw new Problem('invitation-invalid')
  const { name, role } = operator
  return { name, role, passkey: await passkeyFor(deps, operator), app: await appFor(deps, operator) }
}

export type NewPasskey = PasskeyAnswer & { name: string }
export type NewPassword = { password: string; ticket: string; code: string }

const nameOr = (given: string): string =>
  (given || visitor().browser || 'Passkey').slice(0, PASSKEY_NAME_LENGTH).trim()

type Save = (trx: Trx) => Promise<void>

/** Returns how the passkey is kept. Throws 'question-over', 'invalid' and 'passkey-taken'. */
const readNewPasskey = async (deps: Deps, operatorId: string, answer: NewPasskey): Promise<Save> => {
  const asked = await tryAnswer(deps.db, answer.ticket, 'passkey')
  if (!asked || asked.operator_id !== operatorId) throw new Problem('question-over')
  const made = await readMadePasskey(consolePlace(deps), asked, answer)
  if (!made) throw invalidField('passkey', 'This passkey was not accepted. Try again, or use another way.')
  return async (trx) => {
    if (!(await useAnswer(trx, asked))) throw new Problem('question-over')
    const row = { id: randomUUID(), operator_id: operatorId, name: nameOr(answer.name), ...made }
    if (!(await insertOperatorPasskey(trx, row))) throw new Problem('passkey-taken')
  }
}

/** Returns how password and app are kept. Throws 'question-over', and 'invalid' at the field that is wrong. */
const readNewPassword = async (deps: Deps, operator: OperatorRow, given: NewPassword): Promise<Save> => {
  const texts = [...namesOfShop(deps.settings), operator.name, new URL(deps.settings.consoleUrl).hostname]
  await refuseGuessable(given.password, 'password', texts)
  const asked = await tryAnswer(deps.db, given.ticket, 'app')
  if (!asked || asked.operator_id !== operator.id) throw new Problem('question-over')
  const secret = readOperatorTotp(deps, operator.id, Buffer.from(asked.challenge, 'base64'))
  if (secret === undefined) throw new Problem('question-over')
  const step = stepOf(secret, given.code.replaceAll(/[\s-]/g, ''), Date.now())
  if (step === undefined)
    throw invalidField(
      'code',
      'This code is not right. Check that the clock of your phone is, and try again.',
    )
  const passwordHash = await hashPassword(given.password)
  const sealed = deps.keyCipher.encryptText(secret, totpOwner(operator.id))
  return async (trx) => {
    if (!(await useAnswer(trx, asked))) throw new Problem('question-over')
    await savePassword(trx, operator.id, { passwordHash, totp: { sealed, step: 0 } })
    await takeStep(trx, operator.id, step)
  }
}

/**
 * Makes the first way in, by which the link is used up. Returns the operator. Throws 'invitation-invalid', and what is wrong
 * with a passkey, a password or a code.
 */
export const acceptInvitation = async (
  deps: Deps,
  token: string,
  given: { passkey?: NewPasskey | undefined; app?: NewPassword | undefined },
): Promise<OperatorRow> => {
  const operator = await findInvited(deps.db, token)
  if (!operator) throw new Problem('invitation-invalid')
  const saves = [
    ...(given.passkey ? [await readNewPasskey(deps, operator.id, given.passkey)] : []),
    ...(given.app ? [await readNewPassword(deps, operator, given.app)] : []),
  ]
  if (saves.length === 0) throw invalidField('passkey', 'Choose a passkey, or a password with an app.')
  await deps.db.transaction().execute(async (trx) => {
    // After or before a new link and an end, never amid: those take away all that there is to get in by.
    await lockOperators(trx)
    if (!(await useInvitation(trx, token))) throw new Problem('invitation-invalid')
    for (const save of saves) await save(trx)
  })
  return operator
}

const findOwn = async ({ db }: With<'db'>, { id }: Pick<OperatorCaller, 'id'>): Promise<OperatorRow> => {
  const operator = await findOperator(db, id)
  if (!operator || operator.ended_at) throw new Problem('operator-not-signed-in')
  return operator
}

export const listOwnWaysIn = async (deps: With<'db'>, caller: Pick<OperatorCaller, 'id'>) => ({
  hasPassword: Boolean((await findOwn(deps, caller)).password_hash),
  passkeys: await listOperatorPasskeys(deps.db, caller.id),
})

export const beginOwnPasskey = async (deps: Deps, caller: OperatorCaller): Promise<PasskeyQuestion> =>
  passkeyFor(deps, await findOwn(deps, caller))

export const beginOwnApp = async (deps: Deps, caller: OperatorCaller) =>
  appFor(deps, await findOwn(deps, caller))

const sessionOf = (caller: OperatorCaller): string => (caller.by === 'session' ? caller.sessionId : '')

/** What opened them may be what was taken away: other sessions and log-ins under way end. */
const endOthers = async (trx: Trx, caller: OperatorCaller): Promise<void> => {
  await deleteOwnSessions(trx, caller.id, { allBut: sessionOf(caller) })
  await deleteAsked(trx, caller.id)
}

export const addOwnPasskey = async (
  deps: Deps,
  caller: OperatorCaller,
  answer: NewPasskey,
): Promise<void> => {
  const save = await readNewPasskey(deps, (await findOwn(deps, caller)).id, answer)
  await deps.db.transaction().execute(async (trx) => {
    await holdCaller(trx, caller)
    await save(trx)
  })
}

/** Something to get in by has to be left. */
const requireWayIn = async (trx: Trx, id: string): Promise<void> => {
  if (!(await hasWayIn(trx, id))) throw new Problem('last-way-in')
}

/** Every other session ends. Throws 'passkey-not-found' and 'last-way-in'. */
export const removeOwnPasskey = ({ db }: With<'db'>, caller: OperatorCaller, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdCaller(trx, caller)
    if (!(await deleteOperatorPasskey(trx, caller.id, id))) throw new Problem('passkey-not-found')
    await requireWayIn(trx, caller.id)
    await endOthers(trx, caller)
  })

/** A password and an app in the place of those before; every other session ends. */
export const setOwnPassword = async (
  deps: Deps,
  caller: OperatorCaller,
  given: NewPassword,
): Promise<void> => {
  const save = await readNewPassword(deps, await findOwn(deps, caller), given)
  await deps.db.transaction().execute(async (trx) => {
    await holdCaller(trx, caller)
    await save(trx)
    await endOthers(trx, caller)
  })
}

/** Every other session ends. Throws 'last-way-in' where there is no passkey. */
export const dropOwnPassword = ({ db }: With<'db'>, caller: OperatorCaller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdCaller(trx, caller)
    await savePassword(trx, caller.id, { passwordHash: null, totp: null })
    await requireWayIn(trx, caller.id)
    await endOthers(trx, caller)
  })

/** Throws 'session-not-found', also for another's. */
export const endOwnSession = async (
  { db }: With<'db'>,
  caller: OperatorCaller,
  id: string,
): Promise<void> => {
  if ((await deleteOwnSessions(db, caller.id, { only: id })) === 0) throw new Problem('session-not-found')
}

const MOST_TOKENS = 20

type TokenRequest = { name: string; permissions: readonly Permission[]; days: number }

/** Returns the token, which is shown once. Throws 'not-permitted' for a right that its maker lacks, and 'tokens-full'. */
export const createOwnToken = async (
  { db }: With<'db'>,
  caller: OperatorCaller,
  { name, permissions, days }: TokenRequest,
): Promise<{ id: string; token: string }> => {
  if (permissions.some((permission) => !caller.permissions.has(permission)))
    throw new Problem('not-permitted')
  const made = { id: randomUUID(), token: newToken() }
  const row = { ...made, operatorId: caller.id, name, permissions: [...new Set(permissions)], days }
  await db.transaction().execute(async (trx) => {
    // Of several that are made at once, none is one too many.
    await holdCaller(trx, caller)
    if ((await listOwnTokens(trx, caller.id)).length >= MOST_TOKENS) throw new Problem('tokens-full')
    await insertToken(trx, row)
  })
  return made
}
