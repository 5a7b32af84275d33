import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paymentListQuery } from '#shared/purchase-queries.ts'

type Payments = readonly PaymentHistoryItem[]

type Options = {
  enabled?: boolean
  /** In how many milliseconds they are to be loaded anew. */
  refetchInterval?: (payments: Payments) => number | false
}

/** The account's attempts to pay, read on until they are enough or all. */
export const usePayments = (
  isEnough: (payments: Payments) => boolean,
  { enabled = true, refetchInterval = () => false }: Options = {},
) => {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...paymentListQuery,
    enabled,
    refetchInterval: ({ state }) => refetchInterval(state.data?.pages.flatMap(({ rows }) => rows) ?? []),
  })
  const isShort = enabled && data !== undefined && hasNextPage && !isEnough(data)
  // After every page: one may come so fast that nothing but the list has changed.
  useEffect(() => {
    if (isShort && !isFetching && !error) void fetchNextPage({ cancelRefetch: false })
  })
  return { data, error, isFetching, refetch, isReading: enabled && !error && (!data || isShort) }
}
