import { brandFrom } from '@hedgerow/brand/brand'
import { defineConfig } from 'vitest/config'
import { PREACT } from './preact.ts'

export default defineConfig({
  // Without the second, libraries would be read in a form that asks Node.js for React.
  resolve: { alias: PREACT, mainFields: ['module', 'main'] },
  define: {
    'globalThis.shopWords': JSON.stringify(brandFrom({})),
    __BUILD_YEAR__: String(new Date().getFullYear()),
    __SAMPLE_LEGAL_TEXTS__: 'true',
  },
  test: {
    name: 'storefront',
    // Those that import React.
    server: {
      deps: {
        inline: [/wouter/, /@tanstack/, /@hookform/, /react-/, /qrcode\.react/, /@testing-library\/react/],
      },
    },
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', '../../packages/{ui,web}/src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/clean-browser.ts', '../../packages/testing/src/fixed-seed.ts'],
    // A search that fails would write out the whole page, and each that waits fails many times before it succeeds.
    // Far from London: pages show times by the customer's own clock.
    env: { DEBUG_PRINT_LIMIT: '0', TZ: 'Asia/Tokyo' },
    testTimeout: 120_000,
    // The storefront and the document are made once per worker, not once per file: that was half of all the work.
    isolate: false,
    sequence: { groupOrder: 1 },
    // As many as the whole run has; a project of its own does not inherit it, and had one.
    maxWorkers: 3,
  },
})
