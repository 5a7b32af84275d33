import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

const PARTNERSHIP = 'partnership'

/** All of it: whatever changes one of them changes the others. */
export const PARTNERSHIP_KEY = [PARTNERSHIP]

export const partnershipQuery = queryOptions({
  queryKey: [PARTNERSHIP, 'facts'],
  queryFn: ({ signal }) => api.call('getPartnership', { signal }),
})

export const withdrawalsQuery = queryOptions({
  queryKey: [PARTNERSHIP, 'withdrawals'],
  queryFn: ({ signal }) => api.call('listWithdrawals', { signal }),
})

/** Whom the documents are to. */
export const billingQuery = queryOptions({
  queryKey: [PARTNERSHIP, 'billing'],
  queryFn: ({ signal }) => api.call('getPartnerBilling', { signal }),
})

/** Newest first; each page goes on from the last entry of the one before. */
export const statementQuery = infiniteQueryOptions({
  queryKey: [PARTNERSHIP, 'statement'],
  queryFn: ({ signal, pageParam }) =>
    api.call('getStatement', { querystring: pageParam === '' ? {} : { before: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?._id : undefined),
})
