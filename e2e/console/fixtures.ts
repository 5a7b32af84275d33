import type { Locator, Page } from '@playwright/test'
import { test as base } from '../fixtures.ts'
import { aSession } from './operators.ts'

export { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE } from '../fixtures.ts'

/** Well below the 15 minutes for which a log-in proves who is there. */
const RENEWED_AFTER_MS = 10 * 60_000

type Session = Awaited<ReturnType<typeof aSession>>
type Worker = { owner: () => Promise<Session> }

/** A test whose page is an owner's, who has logged in once for all tests of the worker. */
export const test = base.extend<object, Worker>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants its fixtures destructured
  baseURL: async ({}, use) => use(process.env.SHOP_CONSOLE_URL),
  storageState: async ({ owner }, use) => use((await owner()).state),
  owner: [
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      let made: { session: Session; at: number } | undefined
      await use(async () => {
        if (!made || Date.now() - made.at > RENEWED_AFTER_MS)
          made = { session: await aSession('owner'), at: Date.now() }
        return made.session
      })
    },
    { scope: 'worker' },
  ],
})

/** The same before the log-in. */
export const testOutside = test.extend({ storageState: { cookies: [], origins: [] } })

/** Presses what opens a dialog; returns the dialog. */
export const ask = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Presses in a dialog, and waits until it is done and said. */
export const go = async (dialog: Locator, verb: string, said: string): Promise<void> => {
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await dialog.page().getByRole('status').getByText(said, { exact: true }).waitFor()
}
