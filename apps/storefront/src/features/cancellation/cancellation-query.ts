import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/**
 * What cancelling a payment would come to. The sum falls while time is used: for 15 minutes the one that is shown may be
 * confirmed, and what goes back is the sum of that moment, which the answer says.
 */
export const cancellationQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['cancellation', paymentId],
    queryFn: ({ signal }) => api.call('previewCancellation', { params: { paymentId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Without a network it says so, rather than wait unseen until there is one.
    networkMode: 'always',
  })
