import type { Connection } from '@hedgerow/contract/connections'
import type { ConnectionData } from '@hedgerow/contract/profile'
import { addressesAt, NODE_POSITION } from '@hedgerow/domain/addresses'
import { connectionStatus, isActive } from '@hedgerow/domain/connections'
import { toWireFeatures } from '@hedgerow/domain/pricing'
import type { KeyCipher } from '#nodes/key-cipher.ts'
import type { ConnectionWithPeer } from './connections.queries.ts'

/** Everything goes through the tunnel: the only setting that hides what the customer does. */
const FULL_TUNNEL = '0.0.0.0/0, ::/0'

const featuresOf = (row: ConnectionWithPeer) =>
  toWireFeatures({
    priorityBandwidth: row.priority_bandwidth,
    adFilter: row.ad_filter,
    malwareFilter: row.malware_filter,
    familyFilter: row.family_filter,
  })

/** With its private key, which its owner needs for the configuration; no other presenter may open it. */
export const presentConnection = (row: ConnectionWithPeer, cipher: KeyCipher): Connection => {
  const own = addressesAt(row, row.position)
  const node = addressesAt(row, NODE_POSITION)
  return {
    _id: row.id,
    name: row.name,
    expirationDate: row.expires_at?.toISOString() ?? null,
    clientPrivateKey: cipher.decrypt(row.private_key_encrypted, row.peer_id),
    presharedKey: cipher.decrypt(row.preshared_key_encrypted, row.peer_id),
    address: `${own.ipv4}/32, ${own.ipv6}/128`,
    dns: node.ipv4,
    serverPublicKey: row.node_public_key,
    allowedIPs: FULL_TUNNEL,
    endpoint: row.endpoint,
    status: connectionStatus(isActive(row.expires_at, new Date()), row.is_connected_today),
    features: featuresOf(row),
    filters: { feature2: row.ad_filter_on, feature3: row.malware_filter_on, feature4: row.family_filter_on },
    location: { _id: row.node_id, name: row.node_name },
    isRenewable: row.expires_at !== null && row.removed_at === null,
    handedOnAt: row.linked_at?.toISOString() ?? null,
  }
}

/** The same with all else that is held of it, for the file with all data of an account. */
export const presentConnectionData = (row: ConnectionWithPeer, cipher: KeyCipher): ConnectionData => ({
  ...presentConnection(row, cipher),
  paymentId: row.payment_id,
  clientPublicKey: row.public_key,
  createdAt: row.created_at.toISOString(),
})
