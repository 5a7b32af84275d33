import type { ShopStatus } from '@hedgerow/contract/status'
import { networkOf } from '@hedgerow/domain/networks'
import { presentStatus } from '#network/status/status.present.ts'
import { listExits, type NodeExits, readStatus } from '#network/status/status.queries.ts'
import { statusFeed } from '#network/status/status-feed.ts'
import type { With } from '#platform/dependencies.ts'
import { type CachedReply, cacheReply } from '#platform/http/cached-reply.ts'
import { createKept } from '#platform/kept.ts'

/** Each process asks the database at most so often, however many ask it. */
export const KEPT_MS = 5_000

/** With many incidents that is megabytes, and anyone may ask as often as they like. */
type StatusReply = CachedReply<ShopStatus> & { feed: string }

export const createStatusReader = ({ db, settings }: With<'db' | 'settings'>): (() => Promise<StatusReply>) =>
  createKept(KEPT_MS, async () => {
    const status = presentStatus(await readStatus(db))
    return { ...cacheReply(status), feed: statusFeed(status, settings) }
  })

const ENDPOINT = /^\[?([^\]]+?)\]?:\d+$/

/** What a node is known by: of an endpoint that is a host name, nothing. */
const networksOf = ({ networks, endpoint }: NodeExits): string[] =>
  [...networks, ENDPOINT.exec(endpoint)?.[1] ?? ''].map(networkOf)

/** Says which place an address is a server of. Nothing is noted of who asked. */
export const createAddressCheck = ({ db }: With<'db'>): ((address: string) => Promise<string | null>) => {
  const places = createKept(KEPT_MS, async () => {
    const nodes = await listExits(db)
    return new Map(nodes.flatMap((node) => networksOf(node).map((network) => [network, node.name])))
  })
  return async (address) => (await places()).get(networkOf(address)) ?? null
}
