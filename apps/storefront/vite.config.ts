import { fileURLToPath } from 'node:url'
import { brandFrom, wordsOf } from '@hedgerow/brand/brand'
import { brandColours } from '@hedgerow/ui/vite/brand-colours.ts'
import { sayBrand } from '@hedgerow/ui/vite/say-brand.ts'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { PREACT } from './preact.ts'
import { builtAt } from './prerender/built-at.ts'
import { serveLegalTexts } from './prerender/serve-legal-texts.ts'

const brand = brandFrom(process.env)

const SRC = 'apps/storefront/src/'
const UI = 'packages/ui/src/'
const WEB = 'packages/web/src/'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What every page needs and seldom changes. */
const LIBRARIES = ['preact', 'wouter', 'regexparam', '@tanstack']

/** Parts of them that only pages behind a log-in use: those fetch them with what they share. */
const LATER = /\/(?:infiniteQueryObserver|useInfiniteQuery|infiniteQueryOptions)\.js$/

/** Whether a module lies in one of these folders, or is one of these files. */
const isIn = (...places: string[]) => {
  const folders = places.map((place) => ROOT + place)
  return (id: string) => folders.some((folder) => id.startsWith(folder))
}

const isLibrary = isIn(...LIBRARIES.map((name) => `node_modules/${name}/`))

/**
 * Files of script that pages share. A group takes what lies in its places and, by the module graph, all that this needs
 * and no group before has taken. What is not named here is shared among just the pages that use it.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: (id: string) => isLibrary(id) && !LATER.test(id),
  },
  {
    name: 'shell',
    test: isIn(
      `${SRC}main.tsx`,
      `${SRC}app/`,
      `${UI}error-boundary.tsx`,
      `${UI}mark.tsx`,
      `${WEB}message-of.ts`,
      `${WEB}query-client.ts`,
      `${UI}page/hedge`,
      `${UI}page/narrow-page.tsx`,
      `${UI}page/notice.tsx`,
      `${UI}page/page-`,
      `${UI}page/skeleton.tsx`,
      `${SRC}lib/platform.ts`,
      `${SRC}lib/use-page-search.ts`,
      `${SRC}shared/purchase-queries.ts`,
      'packages/domain/src/pricing.ts',
    ),
  },
  {
    name: 'forms',
    test: isIn(`${WEB}form/`, `${UI}form/`, 'node_modules/zod/'),
  },
  { name: 'prices', test: isIn(`${SRC}features/orders/price-calculator.tsx`) },
  // What the pages share that lead into an account: small files, and each name is one more in the shell.
  {
    name: 'accounts',
    test: isIn(
      'packages/contract/src/accounts.ts',
      'packages/contract/src/connections.ts',
      'packages/contract/src/passkeys.ts',
      'packages/domain/src/connections.ts',
      `${SRC}features/accounts/email-from-search.ts`,
      `${SRC}features/accounts/resend-button.tsx`,
      `${SRC}lib/signup-secret.ts`,
      `${SRC}lib/token-soon.ts`,
    ),
  },
  // Small files that most pages of a customer share: each alone would be one more name for the shell to know.
  {
    name: 'common',
    test: isIn(
      'packages/domain/src/order-',
      'packages/domain/src/payment-',
      'packages/domain/src/renewals.ts',
      'packages/domain/src/cancellations.ts',
      'packages/domain/src/partnership.ts',
      `${WEB}use-send-once.ts`,
      `${WEB}random-id.ts`,
      `${WEB}save-file.ts`,
      `${SRC}shared/format-amount.ts`,
      `${SRC}shared/passkey-button.tsx`,
      `${UI}badge.tsx`,
      `${UI}tabs.tsx`,
      `${UI}table.tsx`,
    ),
  },
]

const ALWAYS_THERE = /assets\/(?:libraries|shell)-/

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    brandColours(brand.colours),
    serveLegalTexts(brand),
    // A build is nobody's yet: prerender.ts says it.
    { ...sayBrand(JSON.stringify(wordsOf(brand))), apply: 'serve' },
  ],
  resolve: { alias: PREACT },
  ssr: { noExternal: true },
  define: {
    __BUILD_YEAR__: String(builtAt.getFullYear()),
    // Set by `npm start` in development while the legal texts are not reviewed.
    __SAMPLE_LEGAL_TEXTS__: String(process.env.SAMPLE_LEGAL_TEXTS === '1'),
  },
  build: {
    target: 'es2023',
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    modulePreload: {
      // It would be an inline script, which the content security policy refuses.
      polyfill: false,
      // What every page has loaded already need not be named again for each of the others.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'js' ? dependencies.filter((name) => !ALWAYS_THERE.test(name)) : dependencies,
    },
    // An inlined font or image is downloaded even when it is not needed.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Libraries mark for other frameworks what is for browsers.
      checks: { moduleLevelDirective: false },
      ...(!isSsrBuild && {
        output: {
          codeSplitting: { groups: CHUNKS },
          // The shell names every file, and hashes hardly compress. Seven signs keep the versions of one name apart.
          chunkFileNames: 'assets/[name]-[hash:7].js',
        },
      }),
    },
  },
}))
