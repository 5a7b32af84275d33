import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { PageSkeleton } from '@hedgerow/ui/page/page-skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useSession } from '#shared/session.tsx'

/** What only a customer may see; a visitor is sent to log in and comes back. */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const { state, problem, retry, leaving } = useSession()
  const [pathname] = useLocation()
  const search = useSearch()
  if (state === 'in') return children
  if (state === 'out') {
    const wanted = encodeURIComponent(pathname + (search && `?${search}`) + window.location.hash)
    return leaving ? null : <Redirect to={`/login?redirectUrl=${wanted}`} replace />
  }
  if (!problem) return <PageSkeleton label="Loading your account" />
  return (
    <Notice kind="problem" title="Your account did not load">
      <p>{messageOf(problem)}</p>
      <Button variant="outline" className="mt-3" onClick={retry}>
        Try again
      </Button>
    </Notice>
  )
}
