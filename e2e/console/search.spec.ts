import { anAccount, anOrder } from '../customers.ts'
import { ANY_WIDTH, expect, expectAccessible, test } from './fixtures.ts'

test('search finds by what one knows, and is used by keyboard alone', ANY_WIDTH, async ({ page }) => {
  const customer = await anAccount()
  const orderId = await anOrder(customer)
  await page.goto('/payments')
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('ControlOrMeta+K')
  const field = page.getByRole('combobox', { name: 'Search' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()

  await page.keyboard.press('/')
  await page.keyboard.type(customer.email)
  const found = page.getByRole('option', { name: /^Customer/ })
  await expect(found).toHaveCount(1)
  await expect(found).toHaveAttribute('aria-selected', 'true')
  // An address that was typed is no reason to show it.
  await expect(found).not.toContainText(customer.email)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/customers\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.keyboard.press('/')
  // Whoever is quicker than the answer is led to what it brings.
  await field.fill(customer.email)
  await expect(found).toHaveCount(1)
  await field.fill(orderId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/orders/${orderId}$`))

  await page.keyboard.press('/')
  await page.keyboard.type('zz no such thing')
  await expect(page.getByText('Nothing was found.')).toBeVisible()
  await field.fill('jo')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await field.fill('jobs')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeFocused()
})
