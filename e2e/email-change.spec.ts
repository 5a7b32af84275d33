import { linkIn } from '@hedgerow/testing/mailbox'
import type { Page } from '@playwright/test'
import { anAccount, enter, inbox, newEmail } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'

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

test(
  'an email is changed at the new mailbox, and brought back from the old one',
  ON_A_PHONE,
  async ({ page, browser }) => {
    const customer = await anAccount()
    const email = newEmail()

    await enter(page, customer, '/profile?tab=profile')
    await page.getByRole('main').getByRole('link', { name: 'Security' }).first().click()
    await page.waitForURL(`**${SECURITY}`)
    await askFor(page, email)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    // In another browser, without a log-in. The link alone does nothing.
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

    // The reader of the old mailbox brings the account back.
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
  },
)
