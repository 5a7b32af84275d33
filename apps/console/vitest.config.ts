import { brandFrom } from '@hedgerow/brand/brand'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  define: { 'globalThis.shopName': JSON.stringify(brandFrom({}).name) },
  test: {
    name: 'console',
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/clean-browser.ts'],
    testTimeout: 120_000,
    // The document is made once per worker, not once per file.
    isolate: false,
    sequence: { groupOrder: 2 },
    maxWorkers: 3,
  },
})
