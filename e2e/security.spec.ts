import type { Browser, Page } from '@playwright/test'
import { aCustomer, type Customer, PASSWORD } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, ON_A_PHONE, test } from './fixtures.ts'
import { letProofsAge } from './operator.ts'

const PATH = '/profile/security'
const sessions = (page: Page) => page.getByRole('region', { name: 'Where you are logged in' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** The same customer in another browser, logged in there. */
const elsewhere = async (browser: Browser, { email }: Customer) => {
  const context = await browser.newContext({
    baseURL: process.env.SHOP_URL ?? '',
    userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  })
  const page = await context.newPage()
  await page.goto(`/login?redirectUrl=${encodeURIComponent('/profile?tab=history')}`)
  await logIn(page, email)
  await expect(page.getByText('Nothing bought yet')).toBeVisible()
  return { page, close: () => context.close() }
}

const answer = async (page: Page, password: string) => {
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
}

test(
  'a session is ended from another browser, by the keyboard, and says so there',
  ON_A_PHONE,
  async ({ page, browser }) => {
    const customer = await aCustomer(page, PATH)
    const other = await elsewhere(browser, customer)
    await page.reload()
    await expect(sessions(page).getByRole('listitem')).toHaveCount(2)
    await expect(sessions(page).getByRole('listitem').first()).toContainText('This session')
    const row = sessions(page).getByRole('listitem').filter({ hasText: 'Firefox on Android' })
    await expect(row).toContainText('Last used within the last hour')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await row.getByRole('button', { name: 'End Firefox on Android' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('The session has been ended')).toBeVisible()
    await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
    await expect(sessions(page).getByRole('heading')).toBeFocused()
    await expect(
      page.getByRole('region', { name: 'Recent activity' }).getByText('A session was ended'),
    ).toBeVisible()

    await other.page.getByRole('tab', { name: 'Partnership' }).click()
    await expect(other.page.getByText('Your session has ended')).toBeVisible()
    await logIn(other.page, customer.email)
    await expect(other.page).toHaveURL(/tab=partnership/)
    await other.close()
  },
)

test('a proof in one tab is one for the others, which keep what was typed', async ({ page, context }) => {
  const customer = await aCustomer(page, '/profile?tab=profile')
  const other = await context.newPage()
  await other.goto('/submit')
  await other.getByLabel('Commentary').fill('Two hundred of them, please')
  await letProofsAge(customer.email)
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = page.waitForEvent('download')
  await answer(page, PASSWORD)
  expect((await download).suggestedFilename()).toBe('hedgerow-data.json')

  await expect(other.getByLabel('Commentary')).toHaveValue('Two hundred of them, please')
  await other.getByRole('button', { name: 'Submit' }).click()
  await expect(other).toHaveURL(({ pathname }) => pathname === '/')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Personal data' })).toBeVisible()
})
