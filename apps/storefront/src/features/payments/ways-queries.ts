import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/** What can be paid with at the moment, and how. */
export const methodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: ({ signal }) => api.call('paymentMethods', { signal }),
})
