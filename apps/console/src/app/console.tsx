import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Shell } from '#app/shell.tsx'
import { mendCallsBy } from '#lib/api.ts'
import { askAgain } from '#lib/ask-again-store.ts'
import { Loaded } from '#shared/loaded.tsx'
import { SessionProvider } from '#shared/session.tsx'
import { useData } from '#shared/use-data.ts'

const LogInPage = lazy(() => import('#pages/log-in/log-in-page.tsx'))
const SsoReturnPage = lazy(() => import('#pages/log-in/sso-return-page.tsx'))
const InvitationPage = lazy(() => import('#pages/invitation/invitation-page.tsx'))

/** Whoever is not logged in is asked to, and comes back to where they were. */
const Gate = () => {
  const session = useData('getOperatorSession', {})
  const client = useQueryClient()
  const [isOver, setOver] = useState(false)
  useEffect(() => mendCallsBy({ onOver: () => setOver(true), askAgain }), [])
  const comeIn = async () => {
    client.clear()
    await session.refetch()
    setOver(false)
  }
  if (isOver || (session.error as { status?: number } | null)?.status === 401)
    return <LogInPage onIn={comeIn} isOver={session.data !== undefined} />
  return (
    <Loaded query={session}>
      {(data) => (
        <SessionProvider session={data}>
          <Shell />
        </SessionProvider>
      )}
    </Loaded>
  )
}

const Whole = () => {
  const [, navigate] = useLocation()
  return (
    <Suspense fallback={<Skeleton className="m-6" />}>
      <Switch>
        <Route path="/log-in/return">
          <SsoReturnPage onIn={navigate} />
        </Route>
        <Route path="/invitation">
          <InvitationPage onIn={() => navigate('/')} />
        </Route>
        <Route>
          <Gate />
        </Route>
      </Switch>
    </Suspense>
  )
}

export const Console = () => {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <ToastProvider>
        <ErrorBoundary>
          <Whole />
        </ErrorBoundary>
      </ToastProvider>
    </QueryClientProvider>
  )
}
