import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, go, inDays, test } from './fixtures.ts'

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

test(
  'the calculator’s prices change from a moment on, and what typical orders come to is seen before',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/settings')
    const prices = page.getByRole('region', { name: 'Prices of the calculator' })
    const dialog = page.getByRole('dialog')
    await prices.getByRole('button', { name: 'Change the prices' }).click()
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await expect(dialog.getByText('Please fill in at least one price.')).toBeVisible()
    const day = dialog.getByLabel('A day')
    await day.fill('a lot')
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await expect(dialog.getByText('An amount is written like 10.50.')).toBeVisible()
    await day.fill('1.20')
    const order = dialog.getByRole('row', { name: '30 days and 3 connections', exact: false }).first()
    await expect(order.getByRole('cell', { name: '30.00' })).toBeVisible()
    await expect(order.getByRole('cell', { name: '36.00' })).toBeVisible()
    await dialog.getByLabel('From when on').fill(inDays(3))
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await go(dialog, 'Change them', 'Kept. The calculator goes by it from its moment on.')
    const change = prices.getByRole('listitem')
    await expect(change).toContainText('A day 1.20 instead of 1.00')
    await expect(prices.getByRole('row', { name: 'A day 1.00' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await change.getByRole('button', { name: 'Take back' }).click()
    await go(dialog, 'Take the change back', 'Taken back')
    await expect(change).toHaveCount(0)
  },
)
