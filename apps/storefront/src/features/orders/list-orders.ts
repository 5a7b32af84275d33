import { ORDERS_CACHE_MS } from '@hedgerow/domain/timings'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const ordersQuery = queryOptions({
  queryKey: ['orders'],
  queryFn: ({ signal }) => api.call('listOrders', { signal }),
  staleTime: ORDERS_CACHE_MS,
})
