import type { PasskeyAnswer } from '@hedgerow/contract/passkeys'
import type { AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import { PATIENCE_MS, type Place, relyingPartyOf, userIdOf } from '#people/passkeys/relying-party.ts'
import { webauthn, webauthnHelpers } from '#people/passkeys/webauthn.ts'
import type { Challenge } from '#people/second-step/challenges.ts'
import type { AuthChallengeRow, PasskeyRow } from '#platform/database/tables/security.table.ts'

/** Ed25519, P-256 and RSA, as COSE numbers them. The library's own list begins with one that an older Node would not check. */
const ALGORITHMS = [-8, -7, -257]

const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

const descriptorOf = ({ credential_id, transports }: Pick<PasskeyRow, 'credential_id' | 'transports'>) => ({
  id: credential_id.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
})

/** `label` is what tells this account from others of the same person: an e-mail, or the name again. */
type Owner = { id: string; label: string; name: string }

/** What the browser makes a passkey with. An authenticator that holds one of the account's is left out. */
export const creationOptions = async (
  deps: Place,
  { challenge }: Pick<Challenge, 'challenge'>,
  owner: Owner,
  passkeys: readonly Pick<PasskeyRow, 'credential_id' | 'transports'>[],
) => {
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: deps.settings.brand.name,
    rpID: relyingPartyOf(deps).rpID,
    userID: userIdOf(owner.id),
    userName: owner.label,
    userDisplayName: owner.name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: PATIENCE_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptorOf),
    // Each can then be asked without anyone saying whose it is: a log-in by passkey needs no email.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { ...options }
}

/**
 * The same without what its maker says of itself, as browsers answer who asks for none. To check it, the library would
 * call the addresses that stand in certificates.
 */
const withoutAttestation = async (attestationObject: string): Promise<string> => {
  const { decodeAttestationObject, isoCBOR } = await webauthnHelpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const none = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded.get('authData')],
  ])
  return Buffer.from(isoCBOR.encode(none as never)).toString('base64url')
}

/** What the browser says of the ways to the passkey is its own word: only those that are known are kept. */
const transportsOf = ({ response }: RegistrationResponseJSON): string[] => {
  const said: unknown = response.transports
  return Array.isArray(said) ? TRANSPORTS.filter((transport) => said.includes(transport)) : []
}

export type MadePasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'transports' | 'is_synced'> & {
  counter: number
}

/** The passkey that was made for the challenge, its owner having been verified by it; undefined for any other answer. */
export const readMadePasskey = async (
  deps: Place,
  { challenge }: Pick<AuthChallengeRow, 'challenge'>,
  { credential }: Pick<PasskeyAnswer, 'credential'>,
): Promise<MadePasskey | undefined> => {
  const { rpID, origin } = relyingPartyOf(deps)
  const answer = credential as unknown as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...answer,
        response: {
          ...answer.response,
          attestationObject: await withoutAttestation(answer.response.attestationObject),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    // The id that the browser says is not signed by anything; the one in the authenticator's data is kept.
    if (id !== answer.id) return undefined
    return {
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      counter,
      transports: transportsOf(answer),
      is_synced: registrationInfo.credentialDeviceType === 'multiDevice',
    }
  } catch {
    // The library refuses by throwing, whatever is wrong with an answer.
    return undefined
  }
}
