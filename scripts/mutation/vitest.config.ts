import { defineConfig } from 'vitest/config'

/** The tests of the pure rules alone, as the root's configuration runs them. */
export default defineConfig({
  test: {
    include: ['packages/domain/src/**/*.test.ts'],
    setupFiles: ['packages/testing/src/fixed-seed.ts'],
    isolate: false,
  },
})
