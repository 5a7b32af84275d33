import { renderToStringAsync } from 'preact-render-to-string'
import { StrictMode } from 'react'
import { Router } from 'wouter'
import { AWAY, Away, type AwayKind } from '#app/away.tsx'
import { notFound, type PageRoute, routes } from '#app/routes.tsx'
import { Storefront } from '#app/storefront.tsx'
import { titleOf } from '#app/title-of.ts'

export { notFound, routes }

export type Rendered = { title: string; markup: string }

/** What is shown while the shop cannot answer. */
export const renderAway = async (kind: AwayKind): Promise<Rendered> => ({
  title: titleOf(AWAY[kind].title),
  markup: await renderToStringAsync(<Away kind={kind} />),
})

/** A page as a visitor without a session gets it. */
export const renderPage = async ({ path, title, preload }: PageRoute): Promise<Rendered> => {
  await preload()
  const markup = await renderToStringAsync(
    <StrictMode>
      <Router ssrPath={path === '*' ? '/404' : path}>
        <Storefront />
      </Router>
    </StrictMode>,
  )
  return { title: titleOf(title), markup }
}
