import type { Profile } from '@hedgerow/contract/accounts'
import type { Connection } from '@hedgerow/contract/connections'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { PROFILE_KEY } from '#shared/profile-query.ts'

export type ChangeShown = (id: string, fields: Partial<Connection>) => void

/** Puts into the profile what the server has said of a connection; an older answer on its way is not let in after it. */
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
            connections: profile.connections.map((one) => (one._id === id ? { ...one, ...fields } : one)),
          },
      )
    },
    [queryClient],
  )
}
