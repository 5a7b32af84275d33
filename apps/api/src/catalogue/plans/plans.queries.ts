import type { Db } from '#platform/database/client.ts'
import type { LayerRow, PlanRow } from '#platform/database/tables/plans.table.ts'

export const listLayerRows = (db: Db): Promise<LayerRow[]> =>
  db.selectFrom('layers').select(['id', 'name', 'description', 'position']).orderBy('position').execute()

/** Those that something is sold in. */
export const listLayersOnSale = (db: Db): Promise<LayerRow[]> =>
  db
    .selectFrom('layers')
    .select(['id', 'name', 'description', 'position'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('plans')
          .select('plans.id')
          .whereRef('plans.layer_id', '=', 'layers.id')
          .where('plans.retired_at', 'is', null),
      ),
    )
    .orderBy('position')
    .execute()

export type PlanOnSale = Omit<PlanRow, 'retired_at' | 'created_at'>

/** In the order of their layers, and of their places there. */
export const listPlanRows = (db: Db): Promise<PlanOnSale[]> =>
  db
    .selectFrom('plans')
    .innerJoin('layers', 'layers.id', 'plans.layer_id')
    .select([
      'plans.id',
      'plans.layer_id',
      'plans.name',
      'plans.period',
      'plans.connections',
      'plans.price_minor',
      'plans.position',
    ])
    .where('plans.retired_at', 'is', null)
    .orderBy('layers.position')
    .orderBy('plans.position')
    .orderBy('plans.created_at')
    .execute()

export const findPlan = (db: Db, id: string) =>
  db
    .selectFrom('plans')
    .select(['id', 'name', 'period', 'connections', 'price_minor', 'retired_at'])
    .where('id', '=', id)
    .executeTakeFirst()
