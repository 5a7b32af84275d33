import type { Browser, Page } from '@playwright/test'
import { aCustomer, anAccount, aPurchase, type Customer, enter, PASSWORD } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, logIn, test } from './fixtures.ts'
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

test('a session is ended from another browser, and is told so', async ({ page, browser }) => {
  const customer = await aCustomer(page, PATH)
  const other = await elsewhere(browser, customer)
  await page.reload()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2)
  await expect(sessions(page).getByRole('listitem').first()).toContainText('This session')
  const row = sessions(page).getByRole('listitem').filter({ hasText: 'Firefox on Android' })
  await expect(row).toContainText('Last used within the last hour')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await row.getByRole('button', { name: 'End Firefox on Android' }).click()
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
})

test('a link is made once the owner has shown again who they are', async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  const ticket = page.getByRole('article').first()
  await ticket.getByText('Manage').click()
  await letProofsAge(customer.email)
  const create = ticket.getByRole('button', { name: 'Create a link' })
  await create.click()
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  // Not now: nothing is made, nothing is said, and one stands where one stood.
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(create).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)

  // A button that is still busy with what was declined does nothing.
  await expect(create).toBeEnabled()
  await page.keyboard.press('Enter')
  await answer(page, 'not my password')
  await expect(dialog(page).getByText('The password is wrong')).toBeVisible()
  await answer(page, PASSWORD)
  await expect(dialog(page)).toBeHidden()
  await expect(ticket.getByLabel('Link', { exact: true })).toHaveValue(/\/shared#/)

  await page.goto(PATH)
  const activity = page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem')
  await expect(activity).toContainText([
    'A link to a connection was made',
    'You confirmed that it is you',
    'A wrong password or code was refused when we asked again',
    'Logged in',
  ])
})

test(
  'a proof in one tab is one for the others, which keep what was typed',
  ANY_WIDTH,
  async ({ page, context }) => {
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
  },
)

test('everything on the page can be worked by the keyboard alone', ANY_WIDTH, async ({ page, browser }) => {
  const customer = await aCustomer(page, '/calculator')
  const other = await elsewhere(browser, customer)
  await page.getByRole('button', { name: 'Ada Lovelace' }).focus()
  await page.keyboard.press('Enter')
  const entry = page.getByRole('link', { name: 'Security' })
  await expect(entry).toBeVisible()
  await entry.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security')
  const end = page.getByRole('button', { name: 'End Firefox on Android' })
  await expect(end).toBeVisible()
  const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")')
  for (let presses = 0; presses < 40 && (await focused()) !== 'End Firefox on Android'; presses++)
    await page.keyboard.press('Tab')
  await expect(end).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The session has been ended')).toBeVisible()
  await other.close()
})
