import type { listPriceChanges } from '#platform/running-settings/price-changes.ts'

type PriceChangeRow = Awaited<ReturnType<typeof listPriceChanges>>[number]

export const priceChangeView = ({ id, prices, due_at }: PriceChangeRow) => ({
  id,
  prices,
  dueAt: due_at.toISOString(),
})
