import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TEST_SEED } from './packages/testing/src/strength.ts'

const has = (path: string) => existsSync(fileURLToPath(new URL(path, import.meta.url)))

export default defineConfig({
  test: {
    // Most tests wait for a database or a mail: a few more than there are processors keep those busy.
    maxWorkers: 3,
    // Nothing may depend on what ran before it.
    sequence: { shuffle: { files: true, tests: true }, seed: TEST_SEED },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/!(ui|web)/src/**/*.test.ts',
            'apps/{api,node-agent,sandbox}/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          setupFiles: ['packages/testing/src/fixed-seed.ts'],
          globalSetup: ['apps/api/src/testing/vitest-setup.ts'],
          // Against what hangs. On a busy machine the slowest take half of it.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          // One project after the other: between files of two, a worker would start anew and read all again.
          sequence: { shuffle: { tests: true }, groupOrder: 0 },
          // The API is read once per worker, not once per file: reading it was a third of all the work.
          isolate: false,
          // Node.js reads TypeScript by itself, as it does in production, and keeps what it compiled.
          experimental: { viteModuleRunner: false },
        },
      },
      ...['apps/storefront', 'apps/console'].filter((app) => has(`${app}/vitest.config.ts`)),
    ],
  },
})
