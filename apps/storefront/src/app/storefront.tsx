import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Route, Routes } from 'react-router'
import { CurrencyProvider } from '#app/currency.tsx'
import { PageFrame } from '#app/page-frame.tsx'
import { createQueryClient } from '#app/query-client.ts'
import { notFound, routes } from '#app/routes.tsx'
import { SessionProvider } from '#app/session.tsx'
import { Shell } from '#app/shell.tsx'
import { ToastProvider } from '#ui/toast.tsx'

/** The whole shop, but for the router: the browser and the prerendering each bring theirs. */
export const Storefront = () => {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <CurrencyProvider>
          <ToastProvider>
            <Shell>
              <Routes>
                {[...routes, notFound].map((route) => (
                  <Route key={route.path} path={route.path} element={<PageFrame route={route} />} />
                ))}
              </Routes>
            </Shell>
          </ToastProvider>
        </CurrencyProvider>
      </SessionProvider>
    </QueryClientProvider>
  )
}
