import { AxeBuilder } from '@axe-core/playwright'
import { linkIn, mailbox } from '@hedgerow/testing/mailbox'
import { test as base, expect, type Page } from '@playwright/test'

const sandboxUrl = () => process.env.SANDBOX_URL ?? ''

const PASSWORD = 'hedge sparrow 7'

let made = 0
const newEmail = () => `ada.${process.pid}.${Date.now()}.${made++}@example.org`

/** The inbox where this shop's mail arrives. */
export const inbox = () => mailbox({ sandbox: { url: sandboxUrl() } as never })

/** No barrier in the page as it stands, by the rules of WCAG 2.2 AA. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor()
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
}

/** A page may be clicked before its script runs; a click that came to nothing is repeated. */
export const clickUntil = async (click: () => Promise<void>, then: () => Promise<void>): Promise<void> => {
  await expect(async () => {
    await click()
    await then()
  }).toPass({ timeout: 20_000 })
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

/** A confirmed customer who has logged in, on the calculator. */
export const aCustomer = async (page: Page): Promise<{ email: string }> => {
  await page.goto('/signup')
  const { email } = await signUp(page)
  await confirm(page, email)
  await page.goto('/login?redirectUrl=/calculator')
  await logIn(page, email)
  await page.waitForURL(({ pathname }) => pathname === '/calculator')
  return { email }
}

/** Orders what the calculator shows; ends on the checkout. */
export const order = async (page: Page): Promise<void> => {
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await clickUntil(
    () => buy.click(),
    () => page.waitForURL(/\/checkout\//, { timeout: 3000 }),
  )
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

/** Every test fails on an error in the browser's console, such as a breach of the content security policy. */
export const test = base.extend<{ quietConsole: undefined }>({
  // Playwright wants its fixtures destructured, even none of them.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  baseURL: async ({}, use) => use(process.env.SHOP_URL),
  quietConsole: [
    async ({ page }, use) => {
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
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
