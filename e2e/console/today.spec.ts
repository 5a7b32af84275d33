import { anAccount, aPurchase, call, newEmail } from '../customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

test('Today counts a sale as it is made, and leads to what waits', async ({ page }) => {
  const customer = await anAccount()
  const body = { id: crypto.randomUUID(), email: newEmail(), name: 'Ada', problem: 'It is slow.' }
  await call('POST', '/support', { token: customer.token, body })
  await page.goto('/')
  const sold = page.getByText(/^[\d,]+ payments?\. By this time yesterday/)
  await expect(sold).toBeVisible()
  const countNow = async () => Number.parseInt((await sold.textContent())?.replaceAll(',', '') ?? '', 10)
  const before = await countNow()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await aPurchase(customer)
  await expect.poll(countNow).toBeGreaterThan(before)

  await page.getByRole('combobox', { name: 'Parts' }).selectOption('by way of paying')
  // The picture is for the eye; whoever does not see it has a table.
  await expect(page.getByRole('table', { name: 'Sold in EUR' }).getByRole('row').last()).toContainText('€')

  await page.getByRole('link', { name: /support messages? (is|are) unanswered/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused()
})
