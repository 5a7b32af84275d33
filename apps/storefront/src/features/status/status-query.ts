import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

const MINUTE_MS = 60_000

/** Asked again each minute, while someone looks. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => api.call('getStatus', { signal }),
  refetchInterval: MINUTE_MS,
})

/** Whoever turns the tunnel on or off and comes back to the page is told anew. */
export const addressQuery = queryOptions({
  queryKey: ['address'],
  queryFn: ({ signal }) => api.call('checkAddress', { signal }),
  staleTime: 0,
  gcTime: 0,
})
