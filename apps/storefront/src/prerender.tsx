import { text } from 'node:stream/consumers'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { Router } from 'wouter'
import { Away, type AwayKind } from '#app/away.tsx'
import { notFound, type PageRoute, routes } from '#app/routes.tsx'
import { Storefront } from '#app/storefront.tsx'

export { notFound, routes }

const WHOLE = {
  // React would hide a big part behind an inline script, which the content security policy refuses.
  progressiveChunkSize: Number.POSITIVE_INFINITY,
  onError: (error: unknown) => {
    throw error
  },
}

/** The markup of what is shown while the shop cannot answer. */
export const renderAway = async (kind: AwayKind): Promise<string> =>
  text((await prerenderToNodeStream(<Away kind={kind} />, WHOLE)).prelude)

/** The markup of a page as a visitor without a session gets it. */
export const renderPage = async ({ path, preload }: PageRoute): Promise<string> => {
  await preload()
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <Router ssrPath={path === '*' ? '/404' : path}>
        <Storefront />
      </Router>
    </StrictMode>,
    WHOLE,
  )
  return text(prelude)
}
