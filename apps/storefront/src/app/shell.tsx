import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { findRoute } from '#app/find-route.ts'
import { Footer } from '#app/footer.tsx'
import { Header } from '#app/header.tsx'

export const Shell = ({ children }: { children: ReactNode }) => {
  const [pathname] = useLocation()
  const { isCheckout = false } = findRoute(pathname)
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only bg-surface focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:rounded-field focus:px-4 focus:py-3"
      >
        Skip to content
      </a>
      <Header />
      <main
        id="content"
        tabIndex={-1}
        // Whatever comes and goes on a page, the footer moves unseen, below the fold; and the scroll bar is always there.
        className="mx-auto min-h-dvh w-full max-w-page flex-1 px-4 py-8 outline-none sm:px-6 sm:py-10"
      >
        {children}
      </main>
      <Footer isCheckout={isCheckout} />
    </div>
  )
}
