import type { Page } from '@playwright/test'
import { anAccount, aPurchase, call, enter, inbox } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'

const payments = (page: Page) =>
  page
    .getByRole('table', { name: 'Payments' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** Cancels by the dialog that is open; returns the sum that its button named. */
const confirm = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: /^Cancel and get €\d\d\.\d\d back$/ })
  await expect(button).toBeEnabled()
  const sum = (await button.innerText()).match(/€\d+\.\d\d/)?.[0] ?? ''
  for (const words of ['You get back', sum, 'Ends at once', 'This withdraws you from the contract.'])
    await expect(dialog).toContainText(words)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await button.click()
  await expect(dialog.getByText(/^Cancelled on \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
  await expect(dialog).toContainText(`You get ${sum} back`)
  await expectAccessible(page)
  return sum
}

test(
  'a purchase is cancelled from one of its connections, by the keyboard alone',
  ON_A_PHONE,
  async ({ page }) => {
    const customer = await anAccount()
    await aPurchase(customer)
    await enter(page, customer, '/profile')
    const tickets = page.getByRole('article')
    await expect(tickets).toHaveCount(3)
    await tickets.first().getByText('Manage', { exact: true }).focus()
    await page.keyboard.press('Enter')
    const ask = tickets.first().getByRole('button', { name: 'Cancel or withdraw' })
    await ask.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toContainText('30 days, 3 connections')
    await expect(page.getByText('You get back', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(ask).toBeFocused()
    await expect(tickets.getByText('Expired', { exact: true })).toHaveCount(0)

    await test.step('Escape and Enter in one breath open it again', async () => {
      for (let time = 0; time < 5; time += 1) {
        await page.keyboard.press('Enter')
        await expect(page.getByText('You get back', { exact: true })).toBeVisible()
        await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
        await expect(page.getByText('You get back', { exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(ask).toBeFocused()
      }
    })

    await page.keyboard.press('Enter')
    const sum = await confirm(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(tickets.getByText('Expired', { exact: true })).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Cancel or withdraw' })).toHaveCount(0)
    for (const { expirationDate } of (await call('GET', '/user/profile', { token: customer.token }))
      .connections)
      expect(new Date(expirationDate).getTime()).toBeLessThanOrEqual(Date.now())

    await test.step('and the payment history says so, with what goes back', async () => {
      await page.getByRole('tab', { name: 'Payment history' }).click()
      await expect(payments(page)).toContainText(/Cancelled on \d\d\/\d\d\/\d{4}/)
      await expect(payments(page)).toContainText(sum)
      await expect(payments(page)).toContainText(/refund/i)
      await expect(payments(page).getByRole('button')).toHaveCount(0)
    })
    const mail = await inbox().latest(customer.email, 'You have cancelled: 30 days, 3 connections')
    expect(mail.text).toContain(sum)
  },
)
