import { ORDERS_CACHE_MS } from '@hedgerow/domain/timings'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** Of every order and of their list: what makes one of them out of date does so to all. */
export const ORDERS_KEY = ['orders'] as const

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...ORDERS_KEY, id],
    queryFn: ({ signal }) => api.call('getOrder', { params: { id }, signal }),
  })

export const orderListQuery = queryOptions({
  queryKey: [...ORDERS_KEY, 'list'],
  queryFn: ({ signal }) => api.call('listOrders', { signal }),
  staleTime: ORDERS_CACHE_MS,
  // Kept as long while nobody looks at it.
  gcTime: ORDERS_CACHE_MS,
})

/** Handed on to the page that says a payment is through, by the history: it stays there over a reload. */
export type Paid = { paymentId: string }

export const paymentListQuery = queryOptions({
  queryKey: ['payments'],
  queryFn: ({ signal }) => api.call('paymentHistory', { signal }),
})
