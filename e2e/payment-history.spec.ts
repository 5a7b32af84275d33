import type { Page } from '@playwright/test'
import {
  aCustomer,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  order,
  payWith,
  test,
} from './fixtures.ts'

const rows = (page: Page, table: string) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

const openHistory = async (page: Page) => {
  await page.goto('/profile')
  await page.getByRole('tab', { name: 'Payment history' }).click()
}

const ordersAsked = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/v1/orders')) asked.push(request.url())
  })
  return asked
}

test('who has bought nothing is led to the prices', async ({ page }) => {
  await aCustomer(page)
  await openHistory(page)
  await expect(page.getByText('Nothing bought yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'See the prices' }).click()
  await page.waitForURL(/\/products/)
})

test('a declined attempt and the purchase after it both stand there', async ({ page }) => {
  await aCustomer(page)
  await order(page)
  const checkout = page.url()
  await payWith(page, '4111111111111111')
  await page.waitForURL(/\/payment\/reject/)

  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(/\/profile/)
  await page.getByRole('tab', { name: 'Payment history' }).click()
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(rows(page, 'Orders')).toContainText('Rejected')
  await rows(page, 'Orders').getByRole('link', { name: 'Pay' }).click()
  await expect(page).toHaveURL(checkout)

  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('tab', { name: 'Payment history' }).click()
  const bought = rows(page, 'Orders')
  await expect(bought).toHaveCount(1)
  for (const text of ['30 days, 3 connections', '€30.00', 'Completed'])
    await expect(bought).toContainText(text)
  await expect(bought).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d/)
  await expect(bought.getByRole('button', { name: 'Get Invoice' })).toBeVisible()
  await expect(bought.getByRole('link', { name: 'Pay' })).toHaveCount(0)

  const attempts = rows(page, 'Payments')
  await expect(attempts).toHaveCount(2)
  await expect(attempts.nth(0)).toContainText('Paid')
  await expect(attempts.nth(0)).toContainText('4000 00** **** 0077')
  await expect(attempts.nth(1)).toContainText('Declined, not charged')
  await expect(attempts.nth(1)).toContainText('4111 11** **** 1111')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('what did not load says so, and loads when asked again', async ({ page }) => {
  await aCustomer(page)
  await order(page)
  await page.route('**/api/v1/orders', (route) =>
    route.fulfill({
      status: 404,
      json: { title: 'Not Found', status: 404, detail: 'There is nothing here.' },
    }),
  )
  await openHistory(page)
  await expect(page.getByText('Your orders did not load')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/orders')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(rows(page, 'Orders').getByRole('link', { name: 'Pay' })).toBeVisible()
})

test('the orders are asked for once in ten minutes, and anew after a purchase', async ({ page }) => {
  await page.clock.install()
  await aCustomer(page)
  await order(page)
  const asked = ordersAsked(page)
  await openHistory(page)
  await expect(rows(page, 'Orders')).toContainText('New')
  expect(asked).toHaveLength(1)

  await page.getByRole('tab', { name: 'Connections' }).click()
  await page.clock.fastForward('09:50')
  await page.getByRole('tab', { name: 'Payment history' }).click()
  await expect(rows(page, 'Orders')).toHaveCount(1)
  expect(asked).toHaveLength(1)

  await page.getByRole('tab', { name: 'Connections' }).click()
  await page.clock.fastForward('00:20')
  await page.getByRole('tab', { name: 'Payment history' }).click()
  await expect.poll(() => asked.length).toBe(2)

  await rows(page, 'Orders').getByRole('link', { name: 'Pay' }).click()
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('tab', { name: 'Payment history' }).click()
  await expect(rows(page, 'Orders')).toContainText('Completed')
})
