import { refreshLoads } from '#network/nodes/node-watch.queries.ts'
import {
  countLive,
  deleteFreeAddresses,
  listLive,
  lockNode,
  lockPeersOf,
  markRemoved,
} from '#network/nodes/nodes.queries.ts'
import { removePeersOf } from '#network/nodes/peers.ts'
import { replacePeer } from '#network/nodes/replace-peer.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

class StillInUse extends Error {
  readonly live: number
  constructor(live: number) {
    super()
    this.live = live
  }
}

export const countLiveOn = ({ db }: With<'db'>, nodeId: string): Promise<number> => countLive(db, nodeId)

/** Removes a node without connections, and its peers that have ended. Returns how many connections keep it, if any. */
export const removeNode = async ({ db }: With<'db'>, nodeId: string): Promise<number> => {
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await lockNode(trx, nodeId))) return
      await deleteFreeAddresses(trx, nodeId)
      await lockPeersOf(trx, nodeId)
      const live = await countLive(trx, nodeId)
      if (live > 0) throw new StillInUse(live)
      await removePeersOf(trx, nodeId)
      // Those of the peers rest nowhere.
      await deleteFreeAddresses(trx, nodeId)
      await markRemoved(trx, nodeId)
    })
    return 0
  } catch (error) {
    if (error instanceof StillInUse) return error.live
    throw error
  }
}

export type LivingConnection = Awaited<ReturnType<typeof listLive>>[number]

/** A customer's connections are moved in a row, and the mail waits for the last of them. */
const MAIL_AFTER_S = 5

/** Gives a connection a place on another node, and its customer notice of it. Throws what replacePeer does. */
export const moveConnection = (
  deps: With<'db' | 'keyCipher'>,
  { id, customer_id }: Pick<LivingConnection, 'id' | 'customer_id'>,
  { from, to }: { from?: string; to?: string },
): Promise<void> =>
  replacePeer(deps, id, to, {
    from,
    keepsOwnKey: true,
    also: async (trx) => {
      // One that was brought may have no account yet.
      if (customer_id !== null)
        await addJob(
          trx,
          'mail-moved',
          { customerId: customer_id },
          { key: `moved:${customer_id}`, inSeconds: MAIL_AFTER_S },
        )
    },
  })

/** Where others took an address a moment ago, another is found. */
const TRIES = 3

const tryToMove = async (
  deps: With<'db' | 'keyCipher'>,
  connection: LivingConnection,
  nodeId: string,
): Promise<'moved' | 'no-room' | 'gone'> => {
  for (let tries = TRIES; ; tries--) {
    try {
      await moveConnection(deps, connection, { from: nodeId })
      return 'moved'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.kind !== 'location-full') return 'gone'
      if (tries === 1) return 'no-room'
    }
  }
}

/** So that they do not all go to the node that was the emptiest at first. */
const LOADS_EVERY = 100

export type Moved = { connection: LivingConnection; outcome: 'moved' | 'no-room' }

/**
 * Moves the connections of a drained node to others, one by one; each stands or falls by itself, so it can be interrupted
 * and begun again. Those that end or leave meanwhile are passed over.
 */
export async function* moveAway(deps: With<'db' | 'keyCipher'>, nodeId: string): AsyncGenerator<Moved> {
  for (const [i, connection] of (await listLive(deps.db, nodeId)).entries()) {
    if (i % LOADS_EVERY === 0) await refreshLoads(deps.db)
    const outcome = await tryToMove(deps, connection, nodeId)
    if (outcome !== 'gone') yield { connection, outcome }
  }
}
