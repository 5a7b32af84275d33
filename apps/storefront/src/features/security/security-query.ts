import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** How the account is guarded. */
export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => api.call('getSecurity', { signal }),
})
