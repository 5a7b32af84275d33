import { ORDERS_CACHE_MS } from '@hedgerow/domain/timings'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** Of every order and of their list: what makes one of them out of date does so to all. */
export const ORDERS_KEY = ['orders'] as const

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...ORDERS_KEY, id],
    queryFn: ({ signal }) => api.call('getOrder', { params: { id }, signal }),
  })

const FIRST_PAGE = ''

/** Where a page of a list begins, as its call takes it. */
const from = (after: string) => (after === FIRST_PAGE ? {} : { after })

export const orderListQuery = infiniteQueryOptions({
  queryKey: [...ORDERS_KEY, 'list'],
  queryFn: ({ signal, pageParam }) => api.page('listOrders', { querystring: from(pageParam), signal }),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: ({ next }) => next,
  select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  staleTime: ORDERS_CACHE_MS,
  // Kept as long while it is not shown.
  gcTime: ORDERS_CACHE_MS,
})

/** Handed on to the page that says a payment is through, by the history: it stays there over a reload. */
export type Paid = { paymentId: string }

export const paymentListQuery = infiniteQueryOptions({
  queryKey: ['payments'],
  queryFn: ({ signal, pageParam }) => api.page('paymentHistory', { querystring: from(pageParam), signal }),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: ({ next }) => next,
  select: ({ pages }) => pages.flatMap(({ rows }) => rows),
})
