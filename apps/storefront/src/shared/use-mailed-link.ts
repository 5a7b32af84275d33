import type { MailedLink } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

/**
 * Whether the link still works, before anything is typed, and for which address. While that is not known, the form is
 * shown and says it: also where too many look, or the connection is lost.
 */
export const useMailedLink = (kind: MailedLink['kind'], token: string, isWanted = true) => {
  const { data, error, isLoading } = useQuery({
    queryKey: ['mailed-link', kind, token],
    queryFn: ({ signal }) => api.call('lookAtLink', { body: { kind, token }, signal }),
    enabled: isWanted,
    retry: false,
    // Once it was used here, it is over, and that is what was wanted.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const over = error instanceof ApiError && error.status === 400 ? error.message : undefined
  return { email: data?.email, isDone: data?.isDone === true, over, isLooking: isLoading }
}
