import { type Plan, SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** What is on sale: the layers and the plans, each in the order in which they are shown. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => {
    const [layers, items] = await Promise.all([
      api.call('listLayers', { signal }),
      api.call('listItems', { signal }),
    ])
    return {
      layers: layers.map(({ _id, ...layer }) => ({ id: _id, ...layer })),
      plans: items.map(
        ({ _id, name, period, numOfConnections, price, layer }): Plan => ({
          id: _id,
          layerId: layer._id,
          name,
          period,
          connections: numOfConnections,
          priceMinor: price,
        }),
      ),
    }
  },
})

const SHIPPED = { layers: SHIPPED_LAYERS, plans: SHIPPED_PLANS }

/** The plans, as the shop ships them until it is known what is on sale. */
export const usePlans = () => useQuery(plansQuery).data ?? SHIPPED
