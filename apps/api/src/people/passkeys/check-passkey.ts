import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server'
import { findPasskey, isPasskeyThere, listPasskeys, noteUse } from '#people/passkeys/passkeys.queries.ts'
import { PATIENCE_MS, type Place, relyingPartyOf, userIdOf } from '#people/passkeys/relying-party.ts'
import { webauthn } from '#people/passkeys/webauthn.ts'
import { type Challenge, isChallengeThere, useChallenge } from '#people/second-step/challenges.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import type { AuthChallengeRow, PasskeyRow } from '#platform/database/tables/security.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

/** What a browser asks passkeys with: those that are named, or else any of this place. */
export const passkeyRequest = async (
  place: Place,
  { ticket, challenge }: Challenge,
  passkeys: readonly Pick<PasskeyRow, 'credential_id' | 'transports'>[],
): Promise<PasskeyQuestion> => {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(place).rpID,
    challenge: Buffer.from(challenge, 'base64url'),
    userVerification: 'required',
    timeout: PATIENCE_MS,
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports: transports as AuthenticatorTransport[],
    })),
  })
  return { ticket, options: { ...options } }
}

/** Undefined where a customer is named who has no passkey; without one, any passkey of this shop may answer. */
export const passkeyQuestion = async (
  deps: With<'db' | 'settings'>,
  challenge: Challenge,
  customerId?: string,
): Promise<PasskeyQuestion | undefined> => {
  const passkeys = customerId === undefined ? [] : await listPasskeys(deps.db, customerId)
  if (customerId !== undefined && passkeys.length === 0) return undefined
  return passkeyRequest(deps, challenge, passkeys)
}

/** Whose passkey it says that it is: always where no account was named before, and otherwise if it says so at all. */
const isOfOwner = (row: PasskeyRow, { response }: AuthenticationResponseJSON, isNamed: boolean): boolean =>
  response.userHandle === undefined || response.userHandle === null
    ? isNamed
    : response.userHandle === Buffer.from(userIdOf(row.customer_id)).toString('base64url')

/** By the id that its authenticator gave it, base64url. */
export const isPasskeyKnown = async ({ db }: With<'db'>, credentialId: string): Promise<boolean> =>
  (await findPasskey(db, credentialId)) !== undefined

/** How often the passkey has signed, where the signature is right and the owner was verified; undefined otherwise. */
export const counterOf = async (
  deps: Place,
  { challenge }: Pick<AuthChallengeRow, 'challenge'>,
  response: AuthenticationResponseJSON,
  row: Pick<PasskeyRow, 'credential_id' | 'public_key'>,
): Promise<number | undefined> => {
  const { rpID, origin } = relyingPartyOf(deps)
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: new Uint8Array(row.public_key),
        // Compared by us, once the signature is known to be right: the library looks at it before that, and anyone who
        // knows a passkey's id could have it look like a copy.
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library refuses by throwing, whatever is wrong with an answer.
    return undefined
  }
}

/** Of several right answers, 'taken' is the first; one that counts no further than we know was perhaps made by a copy. */
const takeAnswer = ({ db }: With<'db'>, asked: AuthChallengeRow, row: PasskeyRow, counter: number) =>
  db.transaction().execute(async (trx): Promise<'taken' | 'late' | 'copied'> => {
    if (await noteUse(trx, row.id, counter)) return (await useChallenge(trx, asked)) ? 'taken' : 'late'
    // The same answer sent twice has used up its challenge, and tells of no copy.
    const isAsked = (await isChallengeThere(trx, asked)) && (await isPasskeyThere(trx, row.id))
    return isAsked ? 'copied' : 'late'
  })

/**
 * Whose passkey has signed the challenge, the owner having been verified by it: the challenge is used up then. Undefined
 * for any other answer. `customerId`: whose it has to be. Throws 'passkey-copied' where its counter is behind.
 */
export const checkPasskey = async (
  deps: With<'db' | 'log' | 'meters' | 'settings'>,
  asked: AuthChallengeRow,
  { credential }: Pick<PasskeyAnswer, 'credential'>,
  customerId?: string,
): Promise<string | undefined> => {
  const row = await findPasskey(deps.db, credential.id)
  if (!row || (customerId !== undefined && row.customer_id !== customerId)) return undefined
  const response = credential as unknown as AuthenticationResponseJSON
  if (!isOfOwner(row, response, customerId !== undefined)) return undefined
  const counter = await counterOf(deps, asked, response, row)
  if (counter === undefined) return undefined
  const taken = await takeAnswer(deps, asked, row, counter)
  if (taken === 'copied') {
    await recordEvent(deps, row.customer_id, 'passkey-copied')
    throw new Problem('passkey-copied')
  }
  return taken === 'taken' ? row.customer_id : undefined
}
