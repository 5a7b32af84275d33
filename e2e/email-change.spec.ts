import { linkIn } from '@hedgerow/testing/mailbox'
import type { Page } from '@playwright/test'
import { anAccount, enter, inbox, newEmail, PASSWORD } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, logIn, test } from './fixtures.ts'

const NEW_PASSWORD = 'a robin on the gate 17'

const SECURITY = '/profile/security'

/** Asks for another address on the page of the account; the mail that follows is in its mailbox. */
const askFor = async (page: Page, email: string) => {
  await page.getByLabel('New email').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('Check your inbox')).toBeVisible()
}

const confirmLink = async (email: string) =>
  linkIn(await inbox().latest(email, 'Confirm your new email'), '/email/confirm/')
const undoLink = async (email: string) => linkIn(await inbox().latest(email, 'was changed'), '/email/undo/')

test('an email is changed at the new mailbox, and brought back from the old one', async ({
  page,
  browser,
}) => {
  test.slow()
  const customer = await anAccount()
  const email = newEmail()

  await enter(page, customer, '/profile?tab=profile')
  await page.getByRole('main').getByRole('link', { name: 'Security' }).first().click()
  await page.waitForURL(`**${SECURITY}`)
  await askFor(page, email)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  // In another browser, where nobody is logged in. The link alone does nothing.
  const link = await confirmLink(email)
  const elsewhere = await browser.newContext({ baseURL: process.env.SHOP_URL ?? '' })
  const other = await elsewhere.newPage()
  await other.goto(link)
  await expectAccessible(other)
  await page.reload()
  await expect(page.getByText('Check your inbox')).toBeVisible()
  await other.getByRole('button', { name: 'Confirm my new email' }).click()
  await expect(other.getByText(`Log in with ${email} from now on`)).toBeVisible()
  await expectNoSidewaysScroll(other)

  await page.reload()
  await expect(page.getByText(`we write to it: ${email}`)).toBeVisible()
  await expect(page.getByText('Your email was changed')).toBeVisible()
  await expect(page.getByText(customer.email)).toBeVisible()

  // Whoever reads the old mailbox brings the account back.
  await other.goto(await undoLink(customer.email))
  await expectAccessible(other)
  await other.getByLabel('New password').fill(NEW_PASSWORD)
  await other.getByLabel('Repeat password').fill(NEW_PASSWORD)
  await other.getByRole('button', { name: 'Undo the change' }).click()
  await expect(other.getByText(`Your email is ${customer.email} again`)).toBeVisible()
  await expectNoSidewaysScroll(other)
  await other.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await other.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.waitForURL(`**${SECURITY}`)
  await expect(other.getByText(`we write to it: ${customer.email}`)).toBeVisible()
  await elsewhere.close()

  // The session that was there is over.
  await page.reload()
  await page.waitForURL(/\/login/)
})

test('a change is sent again and withdrawn by the keyboard alone', ANY_WIDTH, async ({ page }) => {
  const email = newEmail()
  await enter(page, await anAccount(), SECURITY)
  await page.getByLabel('New email').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  // What follows has the focus, so that the next key reaches it.
  await expect(page.getByText('Check your inbox')).toBeVisible()
  await expect(page.locator(':focus')).toContainText('Check your inbox')
  const first = await confirmLink(email)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send again' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The link has been sent again')).toBeVisible()
  await expect.poll(() => confirmLink(email)).not.toBe(first)
  await page.getByRole('button', { name: 'Withdraw' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The change was withdrawn')).toBeVisible()
  await expect(page.getByLabel('New email')).toBeVisible()
  await page.goto(await confirmLink(email))
  await page.getByRole('button', { name: 'Confirm my new email' }).click()
  await expect(page.getByText('Your email was not changed')).toBeVisible()
})

test('whoever has an account with the address learns of it, and no one else', ANY_WIDTH, async ({ page }) => {
  const [customer, holder] = await Promise.all([anAccount(), anAccount()])
  await enter(page, customer, SECURITY)
  await askFor(page, holder.email)
  await expect(page.getByText(`We sent a link to ${holder.email}`)).toBeVisible()
  const mail = await inbox().latest(holder.email, 'is in use already')
  expect(mail.text).not.toContain(customer.email)
  await page.goto('/login')
  await page.evaluate('localStorage.clear()')
  await page.goto('/login')
  await logIn(page, holder.email, PASSWORD)
  await page.waitForURL(/\/profile/)
})
