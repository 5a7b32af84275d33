import { generateKeyPairSync } from 'node:crypto'
import { CONSTRUCTION, IDENTIFIER, LABEL_MAC1 } from '../handshake.ts'
import {
  derive,
  deriveOne,
  deriveTwo,
  dh,
  hash,
  mac,
  open,
  privateOf,
  raw,
  rawPublic,
  seal,
} from '../noise.ts'
import { createWire, type Wire } from '../wire.ts'

/** The node's half of WireGuard's handshake, in TypeScript: for tests that need no tunnel. */
export const createResponder = (
  privateKey: string,
  presharedKeys: ReadonlyMap<string, string>,
  wire: Wire = createWire(),
) => {
  const own = privateOf(raw(privateKey))
  const ownPublic = rawPublic(own)
  const latest = new Map<string, Buffer>()
  /** Undefined: WireGuard would be silent. */
  return (sent: Buffer): Buffer | undefined => {
    const { kind, message: initiation } = wire.unwrap(sent) ?? {}
    if (kind !== 'initiation' || !initiation) return undefined
    const expected = mac(hash(LABEL_MAC1, ownPublic), initiation.subarray(0, 116))
    if (!expected.equals(initiation.subarray(116, 132))) return undefined
    const theirEphemeral = initiation.subarray(8, 40)
    let chain = deriveOne(hash(CONSTRUCTION), theirEphemeral)
    let transcript = hash(hash(hash(hash(CONSTRUCTION), IDENTIFIER), ownPublic), theirEphemeral)
    let key: Buffer
    ;[chain, key] = deriveTwo(chain, dh(own, theirEphemeral))
    const theirs = open(key, 0n, initiation.subarray(40, 88), transcript)
    const presharedKey = theirs && presharedKeys.get(theirs.toString('base64'))
    if (!theirs || !presharedKey) return undefined
    transcript = hash(transcript, initiation.subarray(40, 88))
    ;[chain, key] = deriveTwo(chain, dh(own, theirs))
    const time = open(key, 0n, initiation.subarray(88, 116), transcript)
    const before = latest.get(theirs.toString('base64'))
    if (!time || (before && Buffer.compare(time, before) <= 0)) return undefined
    latest.set(theirs.toString('base64'), time)
    transcript = hash(transcript, initiation.subarray(88, 116))

    const ephemeral = generateKeyPairSync('x25519').privateKey
    const ephemeralPublic = rawPublic(ephemeral)
    chain = deriveOne(chain, ephemeralPublic)
    chain = deriveOne(chain, dh(ephemeral, theirEphemeral))
    chain = deriveOne(chain, dh(ephemeral, theirs))
    const [, mixed, sealKey] = derive(chain, raw(presharedKey), 3) as [Buffer, Buffer, Buffer]
    const proof = seal(sealKey, 0n, Buffer.alloc(0), hash(hash(transcript, ephemeralPublic), mixed))
    const body = Buffer.concat([
      wire.type('response'),
      Buffer.alloc(4, 7),
      initiation.subarray(4, 8),
      ephemeralPublic,
      proof,
    ])
    return wire.wrap('response', Buffer.concat([body, mac(hash(LABEL_MAC1, theirs), body), Buffer.alloc(16)]))
  }
}
