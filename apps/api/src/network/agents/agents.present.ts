import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import { addressesOf, type Pool } from '@hedgerow/domain/addresses'
import { toNodeFilters } from '@hedgerow/domain/filters'
import { portOf } from '@hedgerow/domain/node-places'
import { fromMask } from '@hedgerow/domain/pricing'
import type { AgentNodeRow, ChangedPeer } from '#network/agents/agents.queries.ts'
import { shopPeerOf } from '#network/nodes/shop-peer.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { With } from '#platform/dependencies.ts'

export const presentAgentNode = (
  { id, name, endpoint, old_ports, second_port, mtu, obfuscation, ipv4, ipv6 }: AgentNodeRow,
  { settings: { brand, publicUrl }, keyedHash }: With<'settings' | 'keyedHash'>,
): AgentNode => ({
  id,
  name,
  listenPort: portOf(endpoint),
  oldPorts: old_ports,
  ...(second_port === null ? {} : { secondPort: second_port }),
  mtu,
  shopPeer: shopPeerOf(keyedHash, id),
  ...(obfuscation ? { obfuscation } : {}),
  ipv4,
  ipv6,
  shop: { name: brand.name, renewUrl: `${publicUrl}/profile` },
})

/** With its preshared key, which only its own node's agent may get. */
export const presentPeer = (pool: Pool, peer: ChangedPeer, cipher: KeyCipher): AgentPeer => ({
  id: peer.id,
  publicKey: peer.public_key,
  presharedKey: cipher.decrypt(peer.preshared_key_encrypted, peer.id),
  ...addressesOf(pool, peer),
  filters: toNodeFilters(peer.filters_on),
  hasPriority: fromMask(peer.options).priorityBandwidth,
  expiresAt: peer.expires_at?.toISOString() ?? null,
  removeAt: peer.remove_at?.toISOString() ?? null,
  isAwaited: peer.is_awaited,
})
