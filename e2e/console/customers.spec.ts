import { anAccount, aPurchase, call } from '../customers.ts'
import { ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

test('a customer is found by the keyboard alone, shown when asked for, noted and logged out', async ({
  page,
}) => {
  const customer = await anAccount('Ada Lovelace')
  await aPurchase(customer)
  await page.goto('/payments')
  const columns = page.getByRole('button', { name: 'Columns' })
  await columns.focus()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(columns).toBeFocused()
  await page.keyboard.press('/')
  // Typed as quickly as people type, from the first letter on.
  await page.keyboard.type(customer.email, { delay: 25 })
  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue(customer.email)
  const found = page.getByRole('option', { name: /^Customer/ })
  await expect(found).toHaveCount(1)
  // An address that was typed is no reason to show it.
  await expect(found).not.toContainText(customer.email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Who it is' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('A. L.')).toBeVisible()
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Show personal data' }).click()
  await expect(page.getByText(customer.email)).toBeVisible()
  await expectNoSidewaysScroll(page)

  const note = await ask(page, 'Write a note')
  await note.getByLabel('Note').fill('Called on Monday.')
  await expectAccessible(page)
  await go(note, 'Save', 'Saved')
  await expect(page.getByText('Called on Monday.')).toBeVisible()
  await go(await ask(page, 'Remove'), 'Remove', 'Removed')
  await expect(page.getByText('Called on Monday.')).toHaveCount(0)

  await go(await ask(page, 'End sessions'), 'End all', 'Ended. The owner gets a mail')
  await expect(call('GET', '/user/security', customer)).rejects.toThrow(/401/)
})
