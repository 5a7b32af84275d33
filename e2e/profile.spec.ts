import type { Page } from '@playwright/test'
import { aCustomer } from './customers.ts'
import { expect, test } from './fixtures.ts'

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`)
/** A customer on the profile tab. */
const onProfile = async (page: Page) => {
  await aCustomer(page, '/profile?tab=profile')
  await expect(field(page, 'name')).toHaveValue('Ada Lovelace')
}

test('nothing is lost when the page is closed before it was saved', async ({ page, context }) => {
  await onProfile(page)
  await field(page, 'addressString').fill('12 St James’s Square')
  await page.close({ runBeforeUnload: true })
  const next = await context.newPage()
  await expect(async () => {
    await next.goto('/profile?tab=profile')
    await expect(field(next, 'addressString')).toHaveValue('12 St James’s Square', { timeout: 2000 })
  }).toPass()
  await expect
    .poll(() => next.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))))
    .toEqual([])
})

test('two pages of one customer do not overwrite each other', async ({ page, context }) => {
  await onProfile(page)
  const other = await context.newPage()
  await other.goto('/profile?tab=profile')
  await expect(field(other, 'name')).toHaveValue('Ada Lovelace')
  await field(page, 'addressCity').fill('London')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await field(other, 'phone').fill('+44 20 7946 0000')
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await expect(field(other, 'addressCity')).toHaveValue('London')
  await page.reload()
  await expect(field(page, 'phone')).toHaveValue('+44 20 7946 0000')
  await expect(field(page, 'addressCity')).toHaveValue('London')
})
