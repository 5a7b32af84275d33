import type { ShopPeer } from '@hedgerow/contract/agents'
import { publicKeyOf } from '@hedgerow/wireguard/keys'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'

/** Derived from the shop's key, one for each node, so that nothing of it is stored, and a node's keys fit no other. */
const secretOf = (keyedHash: KeyedHash, nodeId: string, what: 'private' | 'preshared'): string =>
  keyedHash('shop peer', `${nodeId} ${what}`).toString('base64')

/** The shop's end of its peer on a node. */
export const shopKeysOf = (keyedHash: KeyedHash, nodeId: string) => ({
  privateKey: secretOf(keyedHash, nodeId, 'private'),
  presharedKey: secretOf(keyedHash, nodeId, 'preshared'),
})

/** The same as the node has it. */
export const shopPeerOf = (keyedHash: KeyedHash, nodeId: string): ShopPeer => {
  const { privateKey, presharedKey } = shopKeysOf(keyedHash, nodeId)
  return { publicKey: publicKeyOf(privateKey), presharedKey }
}
