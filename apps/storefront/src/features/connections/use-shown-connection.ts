import type { Profile } from '@hedgerow/contract/accounts'
import type { Connection } from '@hedgerow/contract/connections'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { PROFILE_KEY } from '#shared/profile-query.ts'

export type ChangeShown = (id: string, fields: Partial<Connection>) => void

const isWhole = (fields: Partial<Connection>): fields is Connection => fields._id !== undefined
const withFields = (one: Connection, fields: Partial<Connection>): Connection =>
  isWhole(fields) ? fields : { ...one, ...fields }

/**
 * Puts into the profile what the server has said of a connection; an older answer on its way is not let in after it. A whole
 * connection leaves nothing of the one before: what is left out of it is no longer so.
 */
export const useShownConnection = (): ChangeShown => {
  const queryClient = useQueryClient()
  return useCallback(
    (id, fields) => {
      void queryClient.cancelQueries({ queryKey: PROFILE_KEY })
      queryClient.setQueryData<Profile>(
        PROFILE_KEY,
        (profile) =>
          profile && {
            ...profile,
            connections: profile.connections.map((one) => (one._id === id ? withFields(one, fields) : one)),
          },
      )
    },
    [queryClient],
  )
}
