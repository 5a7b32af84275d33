import type { Profile } from '@hedgerow/contract/accounts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createAutosave } from '#features/profile/autosave.ts'
import { readToken } from '#lib/access-token.ts'
import { api } from '#lib/api.ts'
import { beforeLogOut } from '#lib/drafts.ts'
import { PROFILE_KEY } from '#shared/profile-query.ts'

/**
 * The whole shop shows the saved profile at once, with the connections that it shows: an answer has but the first of them.
 * Another account, or a newer profile, is left alone.
 */
const show = async (queryClient: QueryClient, saved: Profile) => {
  await queryClient.cancelQueries({ queryKey: PROFILE_KEY })
  queryClient.setQueryData<Profile>(PROFILE_KEY, (shown) =>
    shown?._id === saved._id && shown.version <= saved.version
      ? { ...saved, connections: shown.connections, nextConnections: shown.nextConnections }
      : shown,
  )
}

export const useAutosave = (profile: Profile) => {
  const queryClient = useQueryClient()
  const [autosave] = useState(() => {
    const session = readToken()
    return createAutosave({
      profile,
      save: (body) => api.call('saveProfile', { body, keepalive: true }),
      load: () => api.call('getProfile', {}),
      onSaved: (saved) => void show(queryClient, saved),
      isOver: () => readToken() !== session,
    })
  })
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState)

  useEffect(() => autosave.refresh(profile), [autosave, profile])

  useEffect(() => {
    const leave = () => void autosave.leave()
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    autosave.start()
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    const forget = beforeLogOut(autosave.leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      forget()
      // Another tab of the profile is shown, or another page.
      leave()
    }
  }, [autosave])

  return { state, change: autosave.change, saveNow: autosave.saveNow }
}
