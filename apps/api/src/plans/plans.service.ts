import type { Layer, ShopItem } from '@hedgerow/contract/plans'
import type { Db } from '#database/client.ts'
import { createNotifiedCache } from '#database/notified-cache.ts'
import { type WrittenOnce, writeOnce } from '#http/written-once.ts'
import { presentItem, presentLayer } from '#plans/plans.present.ts'
import { listLayersOnSale, listPlanRows } from '#plans/plans.queries.ts'

export { findPlan, listLayerRows } from '#plans/plans.queries.ts'

type Lists = Readonly<{ layers: WrittenOnce<Layer[]>; items: WrittenOnce<ShopItem[]> }>

const readLists = async (db: Db): Promise<Lists> => ({
  layers: writeOnce((await listLayersOnSale(db)).map(presentLayer)),
  items: writeOnce((await listPlanRows(db)).map(presentItem)),
})

/** What is on sale, as every visitor is told: one record, which needs no name. */
export const createOnSale = (db: Db) => {
  const { get, forget, setListening } = createNotifiedCache(() => readLists(db))
  return { lists: async () => (await get('')) ?? readLists(db), forget, setListening }
}

export type PlanDependencies = Readonly<{ onSale: ReturnType<typeof createOnSale> }>
