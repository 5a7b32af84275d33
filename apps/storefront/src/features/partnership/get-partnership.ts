import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const partnershipQuery = queryOptions({
  queryKey: ['partnership'],
  queryFn: ({ signal }) => api.call('getPartnership', { signal }),
})
