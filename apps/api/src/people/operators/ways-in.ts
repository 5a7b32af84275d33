import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { isConsoleSecure, type OperatorCaller } from '#people/operators/guard-operators.ts'
import { type Asked, askFor, tryAnswer, useAnswer } from '#people/operators/operator-challenges.ts'
import { insertSession } from '#people/operators/operator-sessions.queries.ts'
import {
  findActiveByName,
  findOperator,
  findOperatorPasskey,
  hasWayIn,
  listOperatorPasskeys,
  lockOperators,
  notePasskeyUse,
  replaceSessionToken,
  takeStep,
} from '#people/operators/operators.queries.ts'
import { comesBySsoAlone, isLinked } from '#people/operators/sso.queries.ts'
import { counterOf, passkeyRequest } from '#people/passkeys/check-passkey.ts'
import type { Place } from '#people/passkeys/relying-party.ts'
import { isPassword } from '#people/passwords/passwords.ts'
import { stepOf } from '#people/second-step/totp.ts'
import { newToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { OperatorRow } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { createKnownBrowsers, type KnownBrowsers } from '#platform/http/known-browsers.ts'
import { type RateCount, refuseTooMany } from '#platform/http/limits/rate-counter.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { visitor } from '#platform/http/visitor.ts'
import { workContext } from '#platform/instrumentation/work-context.ts'

export type Deps = With<'db' | 'keyCipher' | 'knownBrowsers' | 'rateCounter' | 'settings'>

const MINUTES_15_S = 900
const DAY_S = 86_400

/** Browsers in which an operator has finished a log-in. Without a password there are no tries to count. */
export const knownOperatorBrowsers = (deps: With<'db' | 'keyedHash' | 'settings'>): KnownBrowsers =>
  createKnownBrowsers({
    keyedHash: deps.keyedHash,
    isSecure: isConsoleSecure(deps),
    findLock: async (name) => (await findActiveByName(deps.db, name))?.password_hash ?? undefined,
    cookie: 'operator-known-browser',
  })

/**
 * Guesses: at one name from one network, at one name from anywhere, and at one operator's codes. A known browser has counts
 * of its own, so that strangers who know a name, or a password, lock nobody out.
 */
const nameTries = (name: string, browser: string | undefined): RateCount[] => {
  if (browser !== undefined) return tries('operator tries of a browser', browser)
  const of = name.toLowerCase()
  return [
    {
      name: 'operator tries of a network',
      of,
      from: workContext()?.caller?.address ?? '',
      most: 10,
      seconds: MINUTES_15_S,
    },
    { name: 'operator tries', of, most: 100, seconds: MINUTES_15_S },
  ]
}
const tries = (name: string, of: string): RateCount[] => [
  { name, of, most: 10, seconds: MINUTES_15_S },
  { name: `${name} a day`, of, most: 50, seconds: DAY_S },
]
const codeTries = (operatorId: string, browser: string | undefined): RateCount[] =>
  browser === undefined
    ? tries('operator codes', operatorId)
    : tries('operator codes of a browser', `${operatorId} ${browser}`)
/** Who is logged in is counted by session: what strangers try at the name locks no one out of the proof. */
const proofTries = (sessionId: string) => ({
  password: tries('operator proofs', sessionId),
  code: tries('operator proof codes', sessionId),
})

/** Where operators' passkeys are made and asked. */
export const consolePlace = ({ settings }: With<'settings'>): Place => ({
  settings: { publicUrl: settings.consoleUrl, brand: settings.brand },
})

export const totpOwner = (operatorId: string): string => `operator ${operatorId} totp`

/** The secret of an operator's app; undefined where it does not open. */
export const readOperatorTotp = (
  { keyCipher }: Pick<Deps, 'keyCipher'>,
  operatorId: string,
  sealed: Buffer,
): string | undefined => {
  try {
    return keyCipher.decryptText(sealed, totpOwner(operatorId))
  } catch {
    return undefined
  }
}

/** Whether it is the password. Counts as a guess; a right one is none. */
const isRightPassword = async (
  { rateCounter }: Pick<Deps, 'rateCounter'>,
  counts: readonly RateCount[],
  given: string,
  hash: string | null | undefined,
): Promise<boolean> => {
  await refuseTooMany(rateCounter, counts)
  // An unknown name takes as long.
  const isRight = await isPassword(given, hash ?? undefined)
  if (isRight) await Promise.all(counts.map(rateCounter.giveBack))
  return isRight
}

/** Whether the code is one of the operator's app, and none that was used. Counts as a guess; a right one is taken. */
const isCode = async (
  deps: Deps,
  counts: readonly RateCount[],
  operator: OperatorRow,
  given: string,
): Promise<boolean> => {
  await refuseTooMany(deps.rateCounter, counts)
  if (!operator.totp_encrypted) return false
  const secret = readOperatorTotp(deps, operator.id, operator.totp_encrypted)
  // Its codes cannot be checked any more: the owner invites this operator anew.
  if (secret === undefined) return false
  const step = stepOf(secret, given.replaceAll(/[\s-]/g, ''), Date.now())
  if (step === undefined || !(await takeStep(deps.db, operator.id, step))) return false
  await Promise.all(counts.map(deps.rateCounter.giveBack))
  return true
}

/** What an operator has just got in by: a passkey's credential, the hash of the password, or a link that was used up. */
export type UsedWay = { credentialId: string } | { passwordHash: string | null } | 'invitation' | 'sso'

const isStillWay = async (trx: Trx, operatorId: string, way: UsedWay): Promise<boolean> => {
  if (way === 'sso') return isLinked({ db: trx }, operatorId)
  if (way === 'invitation') return hasWayIn(trx, operatorId)
  if ('credentialId' in way)
    return (await findOperatorPasskey(trx, way.credentialId))?.operator_id === operatorId
  return (
    way.passwordHash !== null && (await findOperator(trx, operatorId))?.password_hash === way.passwordHash
  )
}

/**
 * Returns the token of a new session. Throws 'operator-login-over' where what the operator got in by was taken away while
 * it was checked: that ends sessions, and this one too; and 'sso-only' for who has to come by single sign-on.
 */
export const startOperatorSession = async (
  { db, settings }: With<'db' | 'settings'>,
  operatorId: string,
  way: UsedWay,
): Promise<string> => {
  const token = newToken()
  await db.transaction().execute(async (trx) => {
    await lockOperators(trx)
    if (!(await isStillWay(trx, operatorId, way))) throw new Problem('operator-login-over')
    const comesElsewhere = settings.sso && typeof way === 'object'
    if (comesElsewhere && (await comesBySsoAlone(trx, operatorId))) throw new Problem('sso-only')
    await insertSession(trx, operatorId, token, visitor(), way !== 'sso')
  })
  return token
}

type WithCookies = Pick<FastifyRequest, 'cookies'>

/** The first half of a log-in. Returns the ticket for the code. Throws 'wrong-operator-login', and 'too-many-requests'. */
export const checkOperatorPassword = async (
  deps: Deps,
  request: WithCookies,
  { name, password }: { name: string; password: string },
): Promise<{ ticket: string }> => {
  const operator = await findActiveByName(deps.db, name)
  const counts = nameTries(name, await deps.knownBrowsers.idFor(request, name))
  const isRight = await isRightPassword(deps, counts, password, operator?.password_hash)
  if (!operator || !isRight) throw new Problem('wrong-operator-login')
  const { ticket } = await askFor(deps.db, 'code', operator.id)
  return { ticket }
}

/** The second half. Returns whose log-in it was. Throws 'wrong-operator-login' and 'operator-login-over'. */
export const checkOperatorCode = async (
  deps: Deps,
  request: WithCookies,
  { ticket, code }: { ticket: string; code: string },
): Promise<OperatorRow> => {
  const asked = await tryAnswer(deps.db, ticket, 'code')
  const operator = asked?.operator_id ? await findOperator(deps.db, asked.operator_id) : undefined
  if (!asked || !operator?.password_hash) throw new Problem('operator-login-over')
  const browser = await deps.knownBrowsers.idFor(request, operator.name, operator.password_hash)
  if (!(await isCode(deps, codeTries(operator.id, browser), operator, code)))
    throw new Problem('wrong-operator-login')
  if (!(await useAnswer(deps.db, asked))) throw new Problem('operator-login-over')
  return operator
}

export const askPasskey = async (deps: Deps): Promise<PasskeyQuestion> =>
  passkeyRequest(consolePlace(deps), await askFor(deps.db, 'passkey log-in', null), [])

/** Whose passkey has answered; undefined for any wrong answer. */
const ownerOfAnswer = async (
  deps: Deps,
  asked: Asked,
  { credential }: Pick<PasskeyAnswer, 'credential'>,
): Promise<string | undefined> => {
  const row = await findOperatorPasskey(deps.db, credential.id)
  if (!row) return undefined
  const response = credential as unknown as AuthenticationResponseJSON
  const counter = await counterOf(consolePlace(deps), asked, response, row)
  if (counter === undefined || !(await notePasskeyUse(deps.db, row.id, counter))) return undefined
  return (await useAnswer(deps.db, asked)) ? row.operator_id : undefined
}

/** Throws 'operator-login-over' and 'wrong-passkey'. */
export const checkOperatorPasskey = async (deps: Deps, answer: PasskeyAnswer): Promise<OperatorRow> => {
  const asked = await tryAnswer(deps.db, answer.ticket, 'passkey log-in')
  if (!asked) throw new Problem('operator-login-over')
  const id = await ownerOfAnswer(deps, asked, answer)
  const operator = id === undefined ? undefined : await findOperator(deps.db, id)
  if (!operator) throw new Problem('wrong-passkey')
  return operator
}

export const proofOptions = async (deps: Deps, { id }: Pick<OperatorCaller, 'id'>) => {
  const operator = await findOperator(deps.db, id)
  const passkeys = await listOperatorPasskeys(deps.db, id)
  const hasPasskey = passkeys.length > 0
  return {
    hasPassword: Boolean(operator?.password_hash),
    passkey: hasPasskey
      ? await passkeyRequest(consolePlace(deps), await askFor(deps.db, 'proof', id), passkeys)
      : null,
  }
}

export type Proof = { password: string; code: string } | PasskeyAnswer

const requireRight = async (
  deps: Deps,
  operator: OperatorRow,
  sessionId: string,
  proof: Proof,
): Promise<void> => {
  if ('ticket' in proof) {
    const asked = await tryAnswer(deps.db, proof.ticket, 'proof')
    if (!asked || asked.operator_id !== operator.id) throw new Problem('question-over')
    if ((await ownerOfAnswer(deps, asked, proof)) !== operator.id)
      throw invalidField('passkey', 'This passkey was not accepted. Try again, or use another way.')
    return
  }
  const counts = proofTries(sessionId)
  if (!(await isRightPassword(deps, counts.password, proof.password, operator.password_hash)))
    throw invalidField('password', 'The password is wrong')
  if (!(await isCode(deps, counts.code, operator, proof.code)))
    throw invalidField('code', 'This code is not right')
}

/** Returns the session's new token; the one before opens nothing any more. Throws 'invalid' at the field that is wrong. */
export const proveOperator = async (
  deps: Deps,
  caller: OperatorCaller,
  sessionToken: string,
  proof: Proof,
): Promise<string> => {
  const operator = await findOperator(deps.db, caller.id)
  if (!operator || caller.by !== 'session') throw new Problem('operator-not-signed-in')
  await requireRight(deps, operator, caller.sessionId, proof)
  const token = newToken()
  if (!(await replaceSessionToken(deps.db, sessionToken, token))) throw new Problem('operator-not-signed-in')
  return token
}
