import type { Connection } from '@hedgerow/contract/connections'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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

/**
 * The customer's connections with these among them, or all; undefined until they are read. Once they are, they stay while the
 * list is loaded anew: a form stands on them.
 */
export const useConnectionsWith = (ids: readonly string[]) => {
  const { profile } = useSession()
  const { connections, isReading, error, retry } = useConnections((all) => hasAll(all, ids))
  const [read, setRead] = useState<readonly Connection[]>()
  const known = isReading || error ? read : connections
  const now = profile ? known : undefined
  if (now !== read) setRead(now)
  return { connections: now, error, retry }
}
