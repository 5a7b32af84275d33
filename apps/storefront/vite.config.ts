import { brandFrom } from '@hedgerow/brand/brand'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brandColours } from './brand-colours.ts'

const brand = brandFrom(process.env)
const { colours, ...words } = brand

/**
 * What every page needs comes in two files: the libraries, which change seldom, and the shell of the shop. A group takes
 * whatever it matches from every page, so it names only what every page has.
 */
const CHUNKS = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack)\//,
  },
  {
    name: 'shell',
    test: /src\/(main|app\/(?!terms-checkbox))|src\/lib\/(api|token|message-of|journey)|contract\/src\/(client|routes)|src\/ui\/(button|menu|notice|page-header|skeleton|spinner|empty|wren|hedge|toast)/,
  },
]

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), react(), brandColours(colours)],
  define: { __BRAND__: JSON.stringify(words) },
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
