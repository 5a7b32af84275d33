import type { Browser } from '@playwright/test'
import { anAccount, type Customer, call, inbox } from '../customers.ts'
import { ask, expect, expectAccessible, expectNoSidewaysScroll, go, ON_A_PHONE, test } from './fixtures.ts'
import { aSession } from './operators.ts'

const write = async ({ email, token }: Customer, name: string): Promise<string> => {
  const body = { id: crypto.randomUUID(), email, name, problem: 'The tunnel drops every night.' }
  return (await call('POST', '/support', { token, body }))._id
}

const asSupport = async (browser: Browser) => {
  const { name, state } = await aSession('support')
  const context = await browser.newContext({
    storageState: state,
    baseURL: process.env.SHOP_CONSOLE_URL ?? '',
  })
  return { name, page: await context.newPage() }
}

test(
  'what a customer writes appears by itself; the answer can be taken back, and goes out as a mail',
  ON_A_PHONE,
  async ({ page }) => {
    const customer = await anAccount()
    await page.clock.install()
    await page.goto('/inbox?state=new')
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    const id = await write(customer, 'Ada Lovelace')
    const row = page.locator(`a[href="/inbox/${id}"]`)
    await expect(row).toContainText('(unread)')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await row.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
    await expect(page.getByText('The tunnel drops every night.')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    const answer = page.getByRole('textbox', { name: 'Your answer' })
    await answer.fill('Which device is it?')
    await page.reload()
    await expect(answer).toHaveValue('Which device is it?')
    // The seconds in which it can be taken back are those of the page's clock.
    await page.clock.pauseAt(Date.now() + 1000)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Sending in a moment …')).toHaveCount(0)
    await page.clock.runFor(1000)
    await expect(answer).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByText('Sending in a moment …')).toBeVisible()
    // An operator who goes on to the next one need not wait.
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await expect(page.getByText('Sent', { exact: true })).toBeVisible()
    await page.clock.resume()
    const mail = await inbox().latest(customer.email, 'Re: We received your message')
    expect(mail.text).toContain('Which device is it?')
    // It needs no answer any more.
    await expect(row).toHaveCount(0)
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await expect(page.getByRole('row').filter({ has: row })).toContainText('Answered')
  },
)

test('two at work see what the other does without a reload', async ({ page, browser }) => {
  const id = await write(await anAccount(), 'Ada Lovelace')
  const support = await asSupport(browser)
  await support.page.goto('/inbox?view=all')
  const row = support.page.getByRole('row').filter({ has: support.page.locator(`a[href="/inbox/${id}"]`) })
  await expect(row).toContainText('New')
  await page.goto(`/inbox/${id}`)
  const hand = await ask(page, 'Assign')
  await hand.getByLabel('Operator').selectOption(support.name)
  await go(hand, 'Assign', 'Assigned')
  await expect(page.getByText(`Assigned to ${support.name}`)).toBeVisible()
  await expect(row).toContainText(support.name)
  await go(await ask(page, 'Close'), 'Close', 'Closed')
  await expect(row).toContainText('Closed')
  const later = await write(await anAccount(), 'Grace Hopper')
  await expect(support.page.locator(`a[href="/inbox/${later}"]`)).toBeVisible()
  await support.page.context().close()
})
