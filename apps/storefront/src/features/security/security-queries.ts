import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

const SECURITY = 'security'

/** All of it: whatever changes one part is noted in another. */
export const SECURITY_KEY = [SECURITY]

/** How the account is guarded. */
export const securityQuery = queryOptions({
  queryKey: [SECURITY, 'guard'],
  queryFn: ({ signal }) => api.call('getSecurity', { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: [SECURITY, 'sessions'],
  queryFn: ({ signal }) => api.call('listSessions', { signal }),
})

/** Newest first; each page goes on from the last event of the one before. */
export const eventsQuery = infiniteQueryOptions({
  queryKey: [SECURITY, 'events'],
  queryFn: ({ signal, pageParam }) =>
    api.call('listSecurityEvents', { querystring: pageParam === '' ? {} : { before: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ events, hasMore }) => (hasMore ? events.at(-1)?._id : undefined),
})
