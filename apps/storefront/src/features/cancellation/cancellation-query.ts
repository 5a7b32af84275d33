import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/**
 * What cancelling a payment would come to. The sum falls while time is used: the one that is shown stands until it is
 * asked for anew, and the server honours it for a while.
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
