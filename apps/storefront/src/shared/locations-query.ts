import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** The places where connections are sold now. */
export const locationsQuery = queryOptions({
  queryKey: ['open-locations'],
  queryFn: ({ signal }) => api.call('listOpenLocations', { signal }),
})
