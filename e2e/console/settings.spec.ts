import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

test(
  'a setting counts from when it is set, says who set it, and goes back to that of the start',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/settings')
    const days = page.getByRole('region', {
      name: 'Days that an expired connection reaches the page that says so',
    })
    await expect(days.getByText('3 days')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const dialog = page.getByRole('dialog')
    await days.getByRole('button', { name: 'Set' }).click()
    const field = dialog.getByLabel('Days that an expired connection')
    await field.fill('99')
    await dialog.getByRole('button', { name: 'Set it' }).click()
    await expect(dialog.getByText('A whole number from 0 to 30.')).toBeVisible()
    await field.fill('4')
    await go(dialog, 'Set it', 'Set. It counts from now on.')
    await expect(days.getByText('4 days')).toBeVisible()
    await expect(days.getByText(/^Set .* by owner .*; the shop was started with 3$/)).toBeVisible()
    await expectAccessible(page)
    await days.getByRole('button', { name: 'Take away' }).click()
    await go(dialog, 'Take it away', 'Taken away')
    await expect(days.getByText('3 days')).toBeVisible()
  },
)
