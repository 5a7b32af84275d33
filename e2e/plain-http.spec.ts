import { aCustomer, inbox } from './customers.ts'
import { test as base, expect } from './fixtures.ts'

/** The shop by a name without TLS, where the browser has no clipboard and no maker of ids. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants its fixtures destructured, even none of them.
  baseURL: async ({}, use) => use(process.env.SHOP_URL?.replace('localhost', 'plain.test')),
  quietConsole: async ({ page }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(undefined)
    expect(errors).toEqual([])
  },
})

test('without TLS a code is copied, and a message sent', async ({ page }) => {
  const { email } = await aCustomer(page, '/profile?tab=partnership')
  expect(await page.evaluate('window.isSecureContext')).toBe(false)
  await page.getByRole('button', { name: 'Copy the promocode' }).click()
  await expect(page.getByRole('status').getByText('Copied the promocode')).toBeVisible()
  await page.goto('/support')
  const problem = page.getByRole('textbox', { name: 'Describe your problem' })
  await problem.press('ControlOrMeta+V')
  await expect(problem).toHaveValue(/^[A-Z0-9]{6,}$/)
  await problem.pressSequentially(' does not work for my friends.')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  await inbox().latest(email, 'We received your message')
})
