import type { Alias } from 'vite'

/**
 * Components are written for React and typed by it, as packages/ui is, which the console runs on React itself. Here
 * Preact runs them: half of what a first visit loads was React (docs/decisions/007). Libraries get it as well, for which
 * they have to be bundled.
 */
export const PREACT: Alias[] = [
  { find: /^react$|^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom\/test-utils$/, replacement: 'preact/test-utils' },
  { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  // wouter brings it along for versions of React that have none.
  { find: 'use-sync-external-store/shim/index.js', replacement: 'preact/compat' },
]
