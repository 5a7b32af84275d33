import type { Layer, ShopItem } from '@hedgerow/contract/plans'
import { presentItem, presentLayer } from '#catalogue/plans/plans.present.ts'
import { listLayersOnSale, listPlanRows } from '#catalogue/plans/plans.queries.ts'
import type { Db } from '#platform/database/client.ts'
import { createNotifiedCache } from '#platform/database/notified-cache.ts'
import { type CachedReply, cacheReply } from '#platform/http/cached-reply.ts'

export { findPlan, listLayerRows } from '#catalogue/plans/plans.queries.ts'

type Lists = Readonly<{ layers: CachedReply<Layer[]>; items: CachedReply<ShopItem[]> }>

const readLists = async (db: Db): Promise<Lists> => ({
  layers: cacheReply((await listLayersOnSale(db)).map(presentLayer)),
  items: cacheReply((await listPlanRows(db)).map(presentItem)),
})

/** What is on sale, as every visitor sees it: one record, which needs no name. */
export const createOnSale = (db: Db) => {
  const { get, forget, setListening } = createNotifiedCache(() => readLists(db))
  return { lists: async () => (await get('')) ?? readLists(db), forget, setListening }
}

export type PlanDependencies = Readonly<{ onSale: ReturnType<typeof createOnSale> }>
