import { AxeBuilder } from '@axe-core/playwright'
import { linkIn } from '@hedgerow/testing/mailbox'
import { test as base, expect, type Page } from '@playwright/test'
import { inbox, newEmail, PASSWORD } from './customers.ts'

/** For a test whose page a phone lays out otherwise: `test('…', ON_A_PHONE, …)`. */
export const ON_A_PHONE = { tag: '@phone' }

/** Waits until what moves for a moment has arrived: colours half way between two looks belong to neither. */
const standStill = async (page: Page): Promise<void> => {
  const arrivals = `document.getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished)`
  await page.evaluate(`Promise.allSettled(${arrivals}).then(() => undefined)`)
}

/** No barrier in the page as it stands, by the rules of WCAG 2.2 AA. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor()
  await standStill(page)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  // Legacy: in the page alone. None here has frames, for whose results another page would be opened each time.
  // What is as it should be is not described: that took longer than finding it.
  const violationsOnly = { resultTypes: ['violations' as const], selectors: false }
  const axe = new AxeBuilder({ page }).setLegacyMode().options(violationsOnly).withTags(tags)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  // Right after a change of width the browser may still be at it.
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
    .toBeLessThanOrEqual(0)
}

/** A visitor's page is there before its script. Waits until that has taken it over: it shows Login once it knows the session. */
export const takenOver = (page: Page): Promise<void> =>
  page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()

/** A page may be clicked before its script runs; a click that came to nothing is repeated. */
export const clickUntil = async (click: () => Promise<void>, then: () => Promise<void>): Promise<void> => {
  await expect(async () => {
    await click()
    await then()
  }).toPass()
}

/** Opens an account through the pages and confirms it by the mailed link; ends on the page that says so. */
export const signUp = async (page: Page): Promise<{ email: string }> => {
  const email = newEmail()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/confirm\?email=/)
  return { email }
}

export const confirm = async (page: Page, email: string): Promise<void> => {
  await page.goto(linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/'))
  await page.waitForURL(/\/result\?email=/)
}

export const logIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Orders what the calculator shows; ends on the checkout. */
export const order = async (page: Page): Promise<void> => {
  // It is busy until the page's script knows the session, so that no press of it is lost.
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.waitForURL(/\/checkout\//)
}

/** Fills the card form and pays. */
export const payWith = async (page: Page, pan: string): Promise<void> => {
  const control = (name: string) => page.locator(`[name="${name}"]`)
  await control('pan').fill(pan)
  await control('card_holder').fill('ADA LOVELACE')
  await control('month').selectOption('12')
  await control('year').selectOption({ index: 4 })
  await control('cvv').fill('123')
  await control('acceptTerms').check()
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** All tickets of a profile but the next are a line each. */
export const unfold = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** On a phone the codes of tickets are folded away. */
export const unfoldCodes = async (page: Page): Promise<void> => {
  await page
    .getByText(/^Expire[sd]: /)
    .first()
    .waitFor()
  for (const fold of await page.getByText('For another device', { exact: true }).all()) await fold.click()
}

/** Every test fails on an error in the browser's console, such as a breach of the content security policy. */
export const test = base.extend<{ quietConsole: undefined; expectedErrors: RegExp }>({
  /** What the browser says in a test that takes something away from it. */
  expectedErrors: [/^$/, { option: true }],
  // Playwright wants its fixtures destructured, even none of them.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  baseURL: async ({}, use) => use(process.env.SHOP_URL),
  quietConsole: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = []
      page.on('console', (message) => {
        // Refused requests are part of what is tested; the browser reports each.
        const isRefusal = /Failed to load resource: the server responded with a status of (4|503)/.test(
          message.text(),
        )
        if (message.type() === 'error' && !isRefusal) errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(error.message))
      await use(undefined)
      expect(errors.filter((error) => !expectedErrors.test(error))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
