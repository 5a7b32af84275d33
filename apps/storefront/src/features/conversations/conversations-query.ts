import type { Conversation } from '@hedgerow/contract/conversations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '#lib/api.ts'

export const conversationsQuery = queryOptions({
  queryKey: ['conversations'],
  queryFn: ({ signal }) => api.call('listConversations', { signal }),
})

/** Shows a conversation as the server has answered it, first of all, where it belongs once someone has written. */
export const useShowConversation = () => {
  const queryClient = useQueryClient()
  return useCallback(
    (written: Conversation) => {
      queryClient.setQueryData(conversationsQuery.queryKey, (shown = []) => [
        written,
        ...shown.filter(({ _id }) => _id !== written._id),
      ])
    },
    [queryClient],
  )
}
