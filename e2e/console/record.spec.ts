import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

test('the record names who did what, and is narrowed to one of them', ANY_WIDTH, async ({ page, owner }) => {
  const { name } = await owner()
  await page.goto('/jobs')
  await page.getByRole('button', { name: 'Run all given up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go ahead' }).click()
  await expect(page.getByText('They run as soon as the shop has time')).toBeVisible()
  await page.goto('/record')
  await page.getByRole('searchbox', { name: 'Who' }).fill(name)
  await expect(page).toHaveURL(/who=/)
  const rows = page.getByRole('table', { name: 'What operators did' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('job retry')
  await expect(rows.nth(1)).toContainText(name)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
})
