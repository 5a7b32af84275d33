import type { Connection } from '@hedgerow/contract/connections'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { nextConnectionsQuery } from '#shared/profile-query.ts'
import { useSession } from '#shared/session.tsx'

/** Whether these are among them. */
export const hasAll = (connections: readonly Connection[], ids: readonly string[]): boolean =>
  ids.every((id) => connections.some(({ _id }) => _id === id))

const NONE: readonly Connection[] = []

/** The customer's connections, read on until they are enough or all. */
export const useConnections = (isEnough: (connections: readonly Connection[]) => boolean) => {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const connections = profile?.connections ?? NONE
  const after = profile?.nextConnections
  const isShort = after !== undefined && !isEnough(connections)
  const { error, isFetching, refetch } = useQuery({
    ...nextConnectionsQuery(queryClient, after ?? ''),
    enabled: isShort,
  })
  return {
    connections,
    hasMore: after !== undefined,
    isReading: isShort && (isFetching || !error),
    error: isShort ? error : null,
    retry: () => void refetch(),
  }
}
