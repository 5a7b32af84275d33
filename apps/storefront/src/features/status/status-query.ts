import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

const MINUTE_MS = 60_000

/** Asked again each minute, while someone looks. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => api.call('getStatus', { signal }),
  refetchInterval: MINUTE_MS,
})

/** Asked anew when the page comes back into view: the tunnel may have been turned on or off meanwhile. */
export const addressQuery = queryOptions({
  queryKey: ['address'],
  queryFn: ({ signal }) => api.call('checkAddress', { signal }),
  staleTime: 0,
  gcTime: 0,
})
