import { defineConfig, devices } from '@playwright/test'
import { findTestBrowser } from '../scripts/browser.ts'

const launchOptions = {
  executablePath: findTestBrowser() ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    // A name that is not localhost: without TLS the browser offers it less.
    '--host-resolver-rules=MAP plain.test 127.0.0.1',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Half an hour of processor time, and browsers that only `npm run test:long` installs.
  testIgnore: process.env.TEST_LONG === '1' ? [] : ['three-browsers.spec.ts'],
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Against what hangs. On a busy machine the slowest take half of it.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  outputDir: '../test-results',
  reporter: [
    ['line'],
    ...(process.env.E2E_REPORT ? [['json', { outputFile: process.env.E2E_REPORT }] as const] : []),
  ],
  globalSetup: './start-shop.ts',
  // No trace: to record every test takes a third of all the time. `--trace on` records the one that is looked into.
  use: { launchOptions, locale: 'en-GB', timezoneId: 'Europe/London' },
  // Each test runs once: at a desk, or, where the layout matters, on a phone.
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone/,
      use: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    },
    {
      name: 'phone',
      grep: /@phone/,
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
        launchOptions,
      },
    },
  ],
})
