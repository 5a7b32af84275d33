import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { PasskeyRow } from '#database/tables/security.table.ts'
import type { With } from '#dependencies.ts'
import type { Challenge } from '#second-step/challenges.ts'
import { listPasskeys } from '#second-step/passkeys.queries.ts'
import { recordEvent } from '#security-events/security-events.ts'

type Deps = With<'db' | 'log' | 'meters' | 'settings'>

/** To whom passkeys are bound: the shop's host, and the very address that customers see. */
export const relyingPartyOf = ({ settings }: With<'settings'>) => {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { rpID: hostname, origin }
}

/** As long as a ticket lasts at least. */
const PATIENCE_MS = 240_000

/** Undefined where a customer is named who has no passkey; without one, any passkey of this shop may answer. */
export const passkeyQuestion = async (
  deps: With<'db' | 'settings'>,
  { ticket, challenge }: Challenge,
  customerId?: string,
): Promise<PasskeyQuestion | undefined> => {
  const passkeys = customerId === undefined ? [] : await listPasskeys(deps.db, customerId)
  if (customerId !== undefined && passkeys.length === 0) return undefined
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(deps).rpID,
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

const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()

/** Of two answers with one counter, one is taken. */
const noteUse = async (db: Db, { id, counter }: PasskeyRow, newCounter: number): Promise<boolean> => {
  const row = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The authenticator counts its signatures: one that counts no further than we know was perhaps copied. */
const isBehind = (row: PasskeyRow, error: unknown): boolean =>
  Number(row.counter) > 0 && error instanceof Error && /counter/i.test(error.message)

/**
 * Whose passkey has signed the challenge, the owner having been verified by it; undefined for any other answer. The
 * challenge is the caller's to use up. `customerId`: whose it has to be.
 */
export const checkPasskey = async (
  deps: Deps,
  challenge: string,
  { credential }: PasskeyAnswer,
  customerId?: string,
): Promise<string | undefined> => {
  const row = await findPasskey(deps.db, credential.id)
  if (!row || (customerId !== undefined && row.customer_id !== customerId)) return undefined
  const { rpID, origin } = relyingPartyOf(deps)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
    })
    const isTaken = verified && (await noteUse(deps.db, row, authenticationInfo.newCounter))
    return isTaken ? row.customer_id : undefined
  } catch (error) {
    // The library refuses by throwing, whatever is wrong with an answer.
    if (isBehind(row, error)) await recordEvent(deps, row.customer_id, 'passkey-copied')
    return undefined
  }
}
