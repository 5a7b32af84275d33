import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

test('a job is run before its time, and a job of a name is found', ANY_WIDTH, async ({ page }) => {
  await page.goto('/jobs')
  await expect(page.getByRole('cell', { name: 'waiting' }).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Name' }).fill('tidy-up')
  await expect(page).toHaveURL(/name=tidy-up/)
  await expect(page.getByRole('table', { name: 'Jobs' }).getByRole('row')).toHaveCount(2)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  await go(await ask(page, 'Run now'), 'Go ahead', 'It runs as soon as the shop has time')
  await page.goto('/jobs?state=given-up')
  await expect(page.getByText('Jobs that are done leave the list.')).toBeVisible()
})
