import type { Connection } from '@hedgerow/contract/connections'
import { addressesAt, NODE_POSITION } from '@hedgerow/domain/addresses'
import type { ConnectionWithNode } from './connections.queries.ts'
import type { KeyCipher } from './key-cipher.ts'

/** Everything goes through the tunnel: the only setting that hides what the customer does. */
const FULL_TUNNEL = '0.0.0.0/0, ::/0'

/** With its private key, which its owner needs for the configuration; no other presenter may open it. */
export const presentConnection = (row: ConnectionWithNode, cipher: KeyCipher): Connection => {
  const own = addressesAt(row, row.position)
  const node = addressesAt(row, NODE_POSITION)
  return {
    _id: row.id,
    name: row.name,
    expirationDate: row.expires_at?.toISOString() ?? null,
    clientPrivateKey: cipher.decrypt(row.private_key_encrypted, row.id),
    presharedKey: cipher.decrypt(row.preshared_key_encrypted, row.id),
    address: `${own.ipv4}/32, ${own.ipv6}/128`,
    dns: node.ipv4,
    serverPublicKey: row.node_public_key,
    allowedIPs: FULL_TUNNEL,
    endpoint: row.endpoint,
  }
}
