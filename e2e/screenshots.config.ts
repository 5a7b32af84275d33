import { defineConfig } from '@playwright/test'
import everyDay from './playwright.config.ts'

/** `npm run screenshots`: every screen at three widths, in light and in dark, into test-results/screens. */
export default defineConfig({
  ...everyDay,
  testMatch: 'screenshots.ts',
  timeout: 600_000,
  // All tests take longer than any one step may: what does not come in this time will not come.
  use: { ...everyDay.use, actionTimeout: 20_000, navigationTimeout: 30_000 },
  maxFailures: 1,
  projects: [{ name: 'screens', use: { viewport: { width: 1440, height: 900 } } }],
})
