import type { PlanChangeView, PlanView } from '@hedgerow/contract/console/plans'
import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import type { ListedPlan } from '#catalogue/plans/change-plans.ts'
import type { PlanChangeRow } from '#platform/database/tables/plans.table.ts'

export const planView = (row: ListedPlan): PlanView => ({
  id: row.id,
  layerId: row.layer_id,
  layer: row.layer_name,
  name: row.name,
  period: row.period,
  connections: row.connections,
  price: { minor: row.price_minor, currency: PLAN_CURRENCY },
  place: row.position,
  retiredAt: row.retired_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

export const planChangeView = (row: PlanChangeRow): PlanChangeView => ({
  id: row.id,
  kind: row.kind,
  planId: row.plan_id,
  layerId: row.layer_id,
  name: row.name,
  period: row.period,
  connections: row.connections,
  price: row.price_minor === null ? null : { minor: row.price_minor, currency: PLAN_CURRENCY },
  place: row.place,
  dueAt: row.due_at.toISOString(),
})
