import type { Order } from '@hedgerow/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '#lib/api.ts'
import { orderListQuery } from '#shared/purchase-queries.ts'

/** A code is kept on the order itself. Returns what enters it and what takes it off; `onOrder` shows what became of it. */
export const useOrderPromocode = (orderId: string, onOrder: (order: Order) => unknown) => {
  const queryClient = useQueryClient()
  const set = useCallback(
    async (promocode: string | null) => {
      onOrder(await api.call('setPromocode', { params: { id: orderId }, body: { promocode } }))
      // The list of orders shows another total.
      void queryClient.invalidateQueries({ queryKey: orderListQuery.queryKey })
    },
    [orderId, onOrder, queryClient],
  )
  const remove = useCallback(() => set(null), [set])
  return { apply: set, remove }
}
