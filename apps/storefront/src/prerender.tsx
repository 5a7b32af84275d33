import { text } from 'node:stream/consumers'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { Router } from 'wouter'
import { notFound, type PageRoute, routes } from '#app/routes.tsx'
import { Storefront } from '#app/storefront.tsx'

export { notFound, routes }

/** The markup of a page as a visitor without a session gets it. */
export const renderPage = async ({ path, preload }: PageRoute): Promise<string> => {
  await preload()
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Router ssrPath={path === '*' ? '/404' : path}>
        <Storefront />
      </Router>
    </StrictMode>,
    {
      // React would hide a big part behind an inline script, which the content security policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        throw error
      },
    },
  )
  return text(prelude)
}
