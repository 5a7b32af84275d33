import 'virtual:brand.css'
import '#app/storefront.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter, matchRoutes } from 'react-router'
import { notFound, routes } from '#app/routes.tsx'
import { Storefront } from '#app/storefront.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

const shop = (
  <StrictMode>
    <BrowserRouter>
      <Storefront />
    </BrowserRouter>
  </StrictMode>
)

if (root.hasChildNodes()) {
  // The prerendered page is there to be read; it is taken over when its code has come. Not by a top-level await: the
  // page's chunk imports from this one, and would wait for it in turn.
  const matched = matchRoutes([...routes], window.location)?.at(-1)?.route ?? notFound
  const takeOver = () => hydrateRoot(root, shop)
  void matched.preload().then(takeOver, takeOver)
} else {
  createRoot(root).render(shop)
}
