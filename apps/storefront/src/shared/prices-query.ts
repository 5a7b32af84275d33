import { DEFAULT_PRICES, FEATURES, type FeatureKey, type Prices } from '@hedgerow/domain/pricing'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: async ({ signal }): Promise<Prices> => {
    const { day, connection, features } = await api.call('getPrices', { signal })
    const featuresMinor = Object.fromEntries(FEATURES.map(({ key, wire }) => [key, features[wire]]))
    return {
      dayMinor: day,
      extraConnectionMinor: connection,
      featuresMinor: featuresMinor as Record<FeatureKey, number>,
    }
  },
})

/** What the calculator computes with, as the shop ships it until it is known what counts. */
export const usePrices = (): Prices => useQuery(pricesQuery).data ?? DEFAULT_PRICES
