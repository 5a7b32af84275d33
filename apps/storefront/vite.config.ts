import { brandFrom } from '@hedgerow/brand/brand'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brandColours } from './brand-colours.ts'

const brand = brandFrom(process.env)
const { colours, ...words } = brand

/**
 * What every page needs comes in two files: the libraries, which change seldom, and the shell of the shop; what every
 * form needs in a third, prices in a fourth, and the rules of payments in a fifth. A group takes whatever it matches
 * from every page, so the first two name only what every page has.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack)\//,
  },
  {
    name: 'shell',
    test: /src\/(main|app\/(?!terms-checkbox))|src\/lib\/(api|token|message-of|journey|use-page-search|use-hydrated|referral)|contract\/src\/(client|routes)|domain\/src\/(pricing|money)|src\/ui\/(button|menu|notice|page-header|narrow-page|skeleton|spinner|empty|wren|hedge|toast)/,
  },
  // The forms need them too, but the profile's first tab does without forms.
  { name: 'connections', test: /domain\/src\/connections/ },
  {
    name: 'forms',
    test: /node_modules\/(react-hook-form|@hookform|zod)\/|src\/lib\/(checked-by|use-checked-form)|src\/(?:app\/terms-checkbox|ui\/(?:field|password-field|form-notice|checkbox))|contract\/src\/(fields|accounts)|domain\/src\/messages/,
  },
  {
    name: 'prices',
    test: /features\/orders\/(receipt-entries|price-calculator|calculator-controls)|features\/plans\/list-plans|src\/ui\/(receipt|slider|switch|segmented|number-field|use-typed-number)/,
  },
  {
    name: 'payments',
    test: /domain\/src\/(dates|exchange|cards|payment-m|order-status)|contract\/src\/payments/,
  },
]

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), react(), brandColours(colours)],
  define: { __BRAND__: JSON.stringify(words), __BUILD_YEAR__: String(new Date().getFullYear()) },
  build: {
    target: 'es2023',
    manifest: !isSsrBuild,
    // The polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    // An inlined font or image is downloaded even when it is not needed.
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
}))
