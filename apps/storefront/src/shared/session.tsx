import type { Profile } from '@hedgerow/contract/accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'wouter'
import {
  forgetToken,
  isRenewed,
  onTokenChange,
  readToken,
  storeToken,
  wasSessionEnded,
} from '#lib/access-token.ts'
import { api } from '#lib/api.ts'
import { forgetDrafts, saveDrafts } from '#lib/drafts.ts'
import { noteKnownBrowser } from '#lib/known-browser.ts'
import { PROFILE_KEY, readOn } from '#shared/profile-query.ts'

const LOGOUT_PATIENCE_MS = 3000

type Session = {
  profile: Profile | null
  state: 'loading' | 'out' | 'in'
  /** The profile could not be loaded although there is a token; `retry` loads it again. */
  problem: Error | null
  retry: () => void
  /** Logged out, because the server has ended the session. */
  hasEnded: boolean
  /** Navigating home after logging out: a guarded page must not send to the login meanwhile. */
  leaving: boolean
  logIn: (token: string, profile: Profile) => void
  logOut: () => Promise<void>
  /** The session has ended on the server: everything of it is forgotten here, and home is shown. */
  leave: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionProvider')
  return session
}

export const SessionProvider = ({ children }: { children: ReactNode }) => {
  const queryClient = useQueryClient()
  const [pathname, navigate] = useLocation()
  const [leaving, setLeaving] = useState(false)
  const token = useSyncExternalStore(onTokenChange, readToken, () => null)
  const { data, error, refetch } = useQuery({
    queryKey: PROFILE_KEY,
    queryFn: async ({ signal }) => readOn(await api.call('getProfile', { signal }), queryClient, signal),
    enabled: token !== null,
  })

  // What one account has loaded must not be there for the next one, however the token changed. A session that was renewed
  // is the same account's.
  const lastToken = useRef(token)
  useEffect(() => {
    if (lastToken.current !== null && lastToken.current !== token && !isRenewed(lastToken.current)) {
      queryClient.clear()
      // What is on the screen outlives its cache until it is loaded anew.
      if (token !== null) void refetch()
    }
    lastToken.current = token
  }, [token, queryClient, refetch])

  const isIn = token !== null && data !== undefined
  useEffect(() => {
    if (isIn) noteKnownBrowser()
  }, [isIn])

  // Arriving anywhere ends the leaving.
  useEffect(() => setLeaving(false), [pathname])

  const session = useMemo((): Session => {
    const profile = (token && data) || null
    const leave = () => {
      setLeaving(true)
      navigate('/')
      forgetToken()
      forgetDrafts()
      queryClient.clear()
    }
    return {
      profile,
      state: profile ? 'in' : token ? 'loading' : 'out',
      problem: token && !profile ? error : null,
      retry: () => void refetch(),
      hasEnded: token === null && wasSessionEnded(),
      leaving,
      logIn: (newToken, newProfile) => {
        storeToken(newToken)
        queryClient.setQueryData(PROFILE_KEY, newProfile)
      },
      logOut: async () => {
        await saveDrafts()
        // The token is forgotten here whatever the server says; it is given a moment to forget it too.
        await api.call('logout', { signal: AbortSignal.timeout(LOGOUT_PATIENCE_MS) }).catch(() => {})
        leave()
      },
      leave,
    }
  }, [token, data, error, refetch, leaving, queryClient, navigate])

  return <SessionContext value={session}>{children}</SessionContext>
}
