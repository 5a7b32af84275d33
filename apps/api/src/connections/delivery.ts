import { randomUUID } from 'node:crypto'
import { lastPosition } from '@hedgerow/domain/addresses'
import type { Features } from '@hedgerow/domain/pricing'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { extendFreeList, hasFreeAddresses, insertConnections, listOpenNodes } from './connections.queries.ts'
import type { KeyCipher } from './key-cipher.ts'

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

/** The node that was tried has too few free addresses. What the transaction has done must be undone. */
export class NoRoom extends Error {
  override name = 'NoRoom'
  readonly count: number
  constructor(count: number) {
    super('the free list of the node is short')
    this.count = count
  }
}

const makeKeys = (cipher: KeyCipher) => {
  const id = randomUUID()
  const { privateKey, publicKey } = generateKeyPair()
  return {
    id,
    publicKey,
    sealedPrivateKey: cipher.encrypt(privateKey, id),
    sealedPresharedKey: cipher.encrypt(generatePresharedKey(), id),
  }
}

type Deps = Pick<Dependencies, 'keyCipher' | 'settings'>

/**
 * Makes the connections that a payment bought, in the transaction that records its success.
 * Throws NoRoom: then `findRoom` tells the node to try next.
 */
export const deliver = async (
  { keyCipher, settings }: Deps,
  trx: Transaction<Database>,
  { count, ...purchase }: Purchase,
  nodeId?: string,
): Promise<void> => {
  const keys = Array.from({ length: count }, () => makeKeys(keyCipher))
  const made = await insertConnections(trx, { ...purchase, nodeId, keys, namePrefix: settings.brand.name })
  if (made < count) throw new NoRoom(count)
}

/** An open node that has so many free addresses, after putting more of its pool on the free list if need be. */
export const findRoom = async (
  { db }: Pick<Dependencies, 'db'>,
  count: number,
): Promise<string | undefined> => {
  for (const node of await listOpenNodes(db)) {
    const last = lastPosition(node)
    while (!(await hasFreeAddresses(db, node.id, count))) {
      const isExtended = await db
        .transaction()
        .execute((trx) => extendFreeList(trx, node.id, last, FREE_LIST_STEP))
      if (!isExtended) break
    }
    if (await hasFreeAddresses(db, node.id, count)) return node.id
  }
  return undefined
}
