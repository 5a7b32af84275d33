import { randomUUID } from 'node:crypto'
import { lastPosition } from '@hedgerow/domain/addresses'
import type { Features } from '@hedgerow/domain/pricing'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import {
  type Address,
  extendFreeList,
  insertConnections,
  listOpenNodes,
  takeConnectionNumbers,
  takeFreeAddresses,
} from './connections.queries.ts'

/** How many positions are put on a node's free list at a time. */
const FREE_LIST_STEP = 1024

/** What a payment bought. `expiresAt` null: it never expires. */
export type Purchase = {
  paymentId: string
  customerId: string
  count: number
  features: Features
  expiresAt: Date | null
}

type Trx = Transaction<Database>

/** All from one node, or undefined when no open node has that many. Gives back nothing: the caller's transaction ends. */
const takeAddresses = async (trx: Trx, count: number): Promise<Address[] | undefined> => {
  for (const node of await listOpenNodes(trx)) {
    const taken = await takeFreeAddresses(trx, node.id, count)
    if (taken.length < count && node.filled_to < lastPosition(node)) {
      await extendFreeList(trx, node.id, lastPosition(node), FREE_LIST_STEP)
      taken.push(...(await takeFreeAddresses(trx, node.id, count - taken.length)))
    }
    if (taken.length === count) return taken
    if (taken.length > 0) {
      const rows = taken.map(({ node_id, position }) => ({ node_id, position }))
      await trx.insertInto('free_addresses').values(rows).execute()
    }
  }
  return undefined
}

/**
 * Makes the connections that a payment bought, in the transaction that records its success.
 * False when every node is full: nothing was made, and the payment waits.
 */
export const deliver = async (
  { keyCipher, settings }: Pick<Dependencies, 'keyCipher' | 'settings'>,
  trx: Trx,
  purchase: Purchase,
): Promise<boolean> => {
  const addresses = await takeAddresses(trx, purchase.count)
  if (!addresses) return false
  const first = await takeConnectionNumbers(trx, purchase.customerId, purchase.count)
  const { priorityBandwidth, adFilter, malwareFilter, familyFilter } = purchase.features
  const rows = addresses.map((address, index) => {
    const id = randomUUID()
    const { privateKey, publicKey } = generateKeyPair()
    return {
      id,
      customer_id: purchase.customerId,
      payment_id: purchase.paymentId,
      ordinal: index + 1,
      node_id: address.node_id,
      position: address.position,
      name: `${settings.brand.name} ${first + index}`,
      public_key: publicKey,
      private_key_encrypted: keyCipher.encrypt(privateKey, id),
      preshared_key_encrypted: keyCipher.encrypt(generatePresharedKey(), id),
      priority_bandwidth: priorityBandwidth,
      ad_filter: adFilter,
      malware_filter: malwareFilter,
      family_filter: familyFilter,
      expires_at: purchase.expiresAt,
    }
  })
  await insertConnections(trx, rows)
  return true
}
