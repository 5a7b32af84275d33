import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { paymentListQuery } from '#shared/purchase-queries.ts'

/** Loads the payments and the connections anew: they are not what they were, whichever press or tab has cancelled one. */
export const useFreshLists = () => {
  const queryClient = useQueryClient()
  useEffect(() => {
    for (const queryKey of [PROFILE_KEY, paymentListQuery.queryKey])
      void queryClient.invalidateQueries({ queryKey })
  }, [queryClient])
}
