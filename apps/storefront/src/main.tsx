import 'virtual:brand.css'
import '#app/storefront.css'
import { reloadOnce } from '@hedgerow/ui/missing-files.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { findRoute } from '#app/find-route.ts'
import { navigateWhenLoaded } from '#app/navigate-when-loaded.ts'
import { Storefront } from '#app/storefront.tsx'

// The document says, after a while, that its scripts did not come. They have.
document.getElementById('scripts-missing')?.remove()

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

const shop = (
  <StrictMode>
    <Router aroundNav={navigateWhenLoaded}>
      <Storefront />
    </Router>
  </StrictMode>
)

// A visitor whom a partner sent. Few are, so that this comes in a file of its own.
if (/[?&]ref=/.test(window.location.search)) {
  const { search } = window.location
  void import('#features/referral/keep-and-count-referral.ts')
    .then(({ keepAndCountReferral }) => keepAndCountReferral(search))
    .catch(() => {})
}

/** A prerendered page begins with the rules of its first view. Resolves when all are in force, or cannot be had. */
const applyAllStyles = (): Promise<unknown> => {
  const link = document.querySelector<HTMLLinkElement>('link#all-styles')
  if (!link) return Promise.resolve()
  return new Promise((settled) => {
    link.addEventListener('load', settled)
    link.addEventListener('error', (error) => {
      settled(error)
      void reloadOnce()
    })
    link.rel = 'stylesheet'
  })
}

if (root.hasChildNodes()) {
  // The prerendered page is there to be read; it is taken over when its code has come. Not by a top-level await: the
  // page's chunk imports from this one, and would wait for it in turn.
  // In a transition React works in slices, between which the page answers to touches.
  const takeOver = () => startTransition(() => void hydrateRoot(root, shop))
  void Promise.all([findRoute(window.location.pathname).preload(), applyAllStyles()]).then(takeOver, takeOver)
} else {
  createRoot(root).render(shop)
}

void import('#features/announcement/announce.ts')
