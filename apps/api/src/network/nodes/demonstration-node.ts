import { randomUUID } from 'node:crypto'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { insertNodeIfNone } from '#network/nodes/nodes.queries.ts'
import type { Db } from '#platform/database/client.ts'

/**
 * So that the shop can be tried before any VPN server exists: connections are made in full, but nothing answers at the
 * address (192.0.2.0/24 is kept for documentation, RFC 5737). The private half of its key exists nowhere.
 */
export const seedDemonstrationNode = async (db: Db): Promise<void> => {
  await insertNodeIfNone(db, {
    id: randomUUID(),
    name: 'demonstration',
    endpoint: '192.0.2.1:51820',
    public_key: generateKeyPair().publicKey,
    ipv4: '10.64.0.0/12',
    ipv6: 'fd64:6865:6467::/64',
  })
}
