import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** What can be paid with at the moment, and how. */
export const paymentMethodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: ({ signal }) => api.call('paymentMethods', { signal }),
})

const BANKS_FRESH_MS = 600_000

export const banksQuery = queryOptions({
  queryKey: ['banks'],
  queryFn: ({ signal }) => api.call('listBanks', { signal }),
  staleTime: BANKS_FRESH_MS,
})
