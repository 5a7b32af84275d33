import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { PageSkeleton } from '@hedgerow/ui/page/page-skeleton.tsx'
import { Suspense, useLayoutEffect } from 'react'
import { FocusAfterNavigation } from '#app/focus-after-navigation.tsx'
import { RequireSession } from '#app/require-session.tsx'
import type { PageRoute } from '#app/routes.tsx'
import { titleOf } from '#app/title-of.ts'

/** A page with its title, its guard, and what is shown while it loads or when it fails. */
export const PageFrame = ({ route: { Page, title, guarded, section, source } }: { route: PageRoute }) => {
  // Not by a <title>, which only React itself would put into the head.
  useLayoutEffect(() => {
    document.title = titleOf(title)
  }, [title])
  // What has failed on one page says nothing of the next.
  return (
    <ErrorBoundary key={source}>
      <Suspense fallback={<PageSkeleton />}>
        {guarded ? (
          <RequireSession>
            <Page />
            <FocusAfterNavigation section={section} />
          </RequireSession>
        ) : (
          <>
            <Page />
            <FocusAfterNavigation section={section} />
          </>
        )}
      </Suspense>
    </ErrorBoundary>
  )
}
