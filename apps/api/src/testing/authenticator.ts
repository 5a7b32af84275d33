import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import type { TestCustomer } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** What answers instead of a device: ES256, discoverable, with a counter. */
export type Authenticator = {
  id: string
  key: KeyObject
  publicKey: Buffer
  /** Of the account that it was made for; set when it is made. */
  userHandle: string | undefined
  counter: number
  isSynced: boolean
}

/** What is otherwise than the server asked. */
export type Given = {
  challenge?: string
  origin?: string
  rpId?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string | undefined
  /** The algorithm that the key says it is for, in COSE. */
  algorithm?: number
  transports?: unknown
  attestation?: string
}

type Options = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } }
export type Question = { ticket: string; options: Options }

const PRESENT = 0x01
const VERIFIED = 0x04
const MAY_BE_SYNCED = 0x08
const SYNCED = 0x10
const HAS_KEY = 0x40

const ES256 = -7
const COSE_START = 'a5010203'
const COSE_X = '200121' + '5820'
const COSE_Y = '22' + '5820'
const BYTES_16 = 16

/** One byte of CBOR, for −1 to −24. */
const negative = (value: number) => Buffer.from([0x20 - 1 - value])

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

const cose = (key: KeyObject, algorithm = ES256): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from(COSE_START, 'hex'),
    negative(algorithm),
    Buffer.from(COSE_X, 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from(COSE_Y, 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

export const anAuthenticator = ({ counter = 1, isSynced = false } = {}): Authenticator => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    id: randomBytes(BYTES_16).toString('base64url'),
    key: privateKey,
    publicKey: cose(publicKey),
    userHandle: undefined,
    counter,
    isSynced,
  }
}

/** Another with the same key, as a thief of it would have. */
export const copyOf = (authenticator: Authenticator): Authenticator => ({ ...authenticator })

const clientData = (shop: TestShop, options: Options, type: string, given: Given): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: given.type ?? type,
      challenge: given.challenge ?? options.challenge,
      origin: given.origin ?? shop.settings.publicUrl,
      crossOrigin: false,
    }),
  )

const authenticatorData = (
  { counter, isSynced }: Authenticator,
  options: Options,
  given: Given,
  key?: Buffer,
): Buffer => {
  const flags =
    PRESENT |
    (given.isVerified === false ? 0 : VERIFIED) |
    (isSynced ? MAY_BE_SYNCED | SYNCED : 0) |
    (key ? HAS_KEY : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags)
  head.writeUInt32BE(given.counter ?? counter, 1)
  const host = given.rpId ?? options.rpId ?? options.rp?.id ?? ''
  return Buffer.concat([sha256(host), head, ...(key ? [key] : [])])
}

const keyWithId = ({ id, publicKey, key }: Authenticator, algorithm?: number): Buffer => {
  const bytes = Buffer.from(id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  const own = algorithm === undefined ? publicKey : cose(key, algorithm)
  return Buffer.concat([Buffer.alloc(BYTES_16), length, bytes, own])
}

const attestationObject = (authData: Buffer, format = 'none'): string => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(format),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ]).toString('base64url')
}

/** What the browser answers when a passkey is made. */
export const makes = (
  shop: TestShop,
  authenticator: Authenticator,
  { ticket, options }: Question,
  given: Given = {},
) => {
  authenticator.userHandle = options.user?.id
  const { id } = authenticator
  const data = authenticatorData(authenticator, options, given, keyWithId(authenticator, given.algorithm))
  const response = {
    clientDataJSON: clientData(shop, options, 'webauthn.create', given).toString('base64url'),
    attestationObject: attestationObject(data, given.attestation),
    transports: given.transports ?? ['internal'],
  }
  return { ticket, credential: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} } }
}

/** What the browser answers when a passkey is asked: one signature more. */
export const answers = (
  shop: TestShop,
  authenticator: Authenticator,
  { ticket, options }: Question,
  given: Given = {},
) => {
  if (authenticator.counter > 0) authenticator.counter += 1
  const { id } = authenticator
  const data = authenticatorData(authenticator, options, given)
  const client = clientData(shop, options, 'webauthn.get', given)
  const userHandle = 'userHandle' in given ? given.userHandle : authenticator.userHandle
  const response = {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', Buffer.concat([data, sha256(client)]), authenticator.key).toString('base64url'),
    ...(userHandle === undefined ? {} : { userHandle }),
  }
  return { ticket, credential: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} } }
}

type Owner = Pick<TestCustomer, 'token'>

export const beginPasskey = (shop: TestShop, { token }: Owner): Promise<Reply> =>
  shop.call('POST', '/api/v1/user/passkeys/options', { token })

export const addPasskey = async (
  shop: TestShop,
  owner: Owner,
  authenticator = anAuthenticator(),
  name = '',
): Promise<Reply> => {
  const { body } = await beginPasskey(shop, owner)
  const made = makes(shop, authenticator, body)
  return shop.call('POST', '/api/v1/user/passkeys', { token: owner.token, body: { ...made, name } })
}

/** A passkey of the account, on a device of its own. */
export const aPasskey = async (
  shop: TestShop,
  owner: Owner,
  given: Parameters<typeof anAuthenticator>[0] = {},
): Promise<Authenticator & { passkeyId: string }> => {
  const authenticator = anAuthenticator(given)
  const { status, body, text: said } = await addPasskey(shop, owner, authenticator)
  if (status !== 201) throw new Error(`The passkey was not added: ${said}`)
  return Object.assign(authenticator, { passkeyId: body._id as string })
}
