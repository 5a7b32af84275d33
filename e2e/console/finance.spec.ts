import { anAccount, aPurchase } from '../customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

test('an invoice is found, opened when asked for, and saved; so is the list', async ({ page }) => {
  await aPurchase(await anAccount())
  // It is issued some seconds after the payment.
  await expect(async () => {
    await page.goto('/finance/invoices')
    await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const [list] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ])
  expect(list.suggestedFilename()).toMatch(/\.csv$/)
  await page
    .getByRole('link', { name: /^\d{4}-\d{6}$/ })
    .first()
    .click()
  await expect(page.getByText('It names the buyer')).toBeVisible()
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByText('One Stop Shop').or(page.getByText('United Kingdom')).first()).toBeVisible()
  await expectAccessible(page)
  const [invoice] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as PDF' }).click(),
  ])
  expect(invoice.suggestedFilename()).toMatch(/^invoice-\d{4}-\d{6}\.pdf$/)
})
