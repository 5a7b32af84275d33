import type { Connection } from '@hedgerow/contract/connections'
import type { ConnectionData } from '@hedgerow/contract/profile'
import { addressesAt, NODE_POSITION } from '@hedgerow/domain/addresses'
import { toWireFeatures } from '@hedgerow/domain/pricing'
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

/** The same with all else that is held of it, for the file with all data of an account. */
export const presentConnectionData = (row: ConnectionWithNode, cipher: KeyCipher): ConnectionData => ({
  ...presentConnection(row, cipher),
  paymentId: row.payment_id,
  clientPublicKey: row.public_key,
  features: toWireFeatures({
    priorityBandwidth: row.priority_bandwidth,
    adFilter: row.ad_filter,
    malwareFilter: row.malware_filter,
    familyFilter: row.family_filter,
  }),
  createdAt: row.created_at.toISOString(),
})
