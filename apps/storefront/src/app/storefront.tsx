import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { createQueryClient } from '@hedgerow/web/query-client.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Route, useLocation } from 'wouter'
import '#app/as-react.ts'
import { findRoute } from '#app/find-route.ts'
import { PageFrame } from '#app/page-frame.tsx'
import { Shell } from '#app/shell.tsx'
import { mendCallsBy } from '#lib/api.ts'
import { CurrencyProvider } from '#shared/currency.tsx'
import { Overlay } from '#shared/overlay.tsx'
import { SessionProvider } from '#shared/session.tsx'

/** Two addresses of one page are one element, which keeps what was typed into it. */
const CurrentPage = () => {
  const [pathname] = useLocation()
  const route = findRoute(pathname)
  return (
    <Route path={route.path}>
      <PageFrame route={route} />
    </Route>
  )
}

mendCallsBy(() => import('#features/security/mend-call.ts').then(({ mendCall }) => mendCall))

/** The whole shop, but for the router: the browser and the prerendering each bring theirs. */
export const Storefront = () => {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <CurrencyProvider>
          <ToastProvider>
            <Shell>
              <CurrentPage />
            </Shell>
            <Overlay />
          </ToastProvider>
        </CurrencyProvider>
      </SessionProvider>
    </QueryClientProvider>
  )
}
