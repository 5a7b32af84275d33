import type { OpenLocation } from '@hedgerow/contract/locations'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** The places where connections are sold now. */
export const locationsQuery = queryOptions({
  queryKey: ['open-locations'],
  queryFn: ({ signal }) => api.call('listOpenLocations', { signal }),
})

/** Those that serve a plan of this layer, or what the calculator sells. */
export const locationsFor = (all: readonly OpenLocation[], layerId: string | undefined): OpenLocation[] =>
  all.filter(({ layer }) => !layer || layer._id === layerId)

/** What an order says of where its new connections are to be: what was chosen, or else what is nearest. */
export type Place = { location?: string; near?: string }
