import { ORDERS_CACHE_MS } from '@hedgerow/domain/timings'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** Under the key of all orders, so that whatever makes an order out of date makes the list so too. */
export const ordersQuery = queryOptions({
  queryKey: ['orders', 'list'],
  queryFn: ({ signal }) => api.call('listOrders', { signal }),
  staleTime: ORDERS_CACHE_MS,
  // Kept as long while nobody looks at it.
  gcTime: ORDERS_CACHE_MS,
})

export const paymentsQuery = queryOptions({
  queryKey: ['payments'],
  queryFn: ({ signal }) => api.call('paymentHistory', { signal }),
})
