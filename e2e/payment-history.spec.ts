import { readFile } from 'node:fs/promises'
import { readPdf } from '@hedgerow/testing/documents'
import type { Page } from '@playwright/test'
import { aCustomer, anAccount, anOrder, aPurchase, enter } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, order, payWith, refuse, test } from './fixtures.ts'

const rows = (page: Page, table: string) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

const ordersAsked = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/v1/orders')) asked.push(request.url())
  })
  return asked
}

test('who has bought nothing is led to the prices', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page, '/profile?tab=history')
  await expect(page.getByText('Nothing bought yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'See the prices' }).click()
  await page.waitForURL(/\/products/)
})

test('a declined attempt and the purchase after it both stand there', ANY_WIDTH, async ({ page }) => {
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
})

test('what did not load says so, and loads when asked again', ANY_WIDTH, async ({ page }) => {
  const customer = await anAccount()
  await anOrder(customer)
  await refuse(page, '**/api/v1/orders', 404, 'There is nothing here.')
  await enter(page, customer, '/profile?tab=history')
  await expect(page.getByText('Your orders did not load')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/orders')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(rows(page, 'Orders').getByRole('link', { name: 'Pay' })).toBeVisible()
})

test(
  'the orders are asked for once in ten minutes, and anew after a purchase',
  ANY_WIDTH,
  async ({ page }) => {
    await page.clock.install()
    const customer = await anAccount()
    await anOrder(customer)
    const asked = ordersAsked(page)
    await enter(page, customer, '/profile?tab=history')
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
  },
)

test(
  'Get Invoice downloads invoice.pdf; when that fails, nothing changes but the log',
  ANY_WIDTH,
  async ({ context }) => {
    // A page of its own: here an error in the console is what is wanted.
    const page = await context.newPage()
    const logged: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') logged.push(message.text())
    })
    const customer = await anAccount()
    await aPurchase(customer)
    await enter(page, customer, '/profile?tab=history')
    const button = rows(page, 'Orders').getByRole('button', { name: 'Get Invoice' })

    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(download.suggestedFilename()).toBe('invoice.pdf')
    const { text, isClean } = await readPdf(await readFile(await download.path()))
    expect(isClean).toBe(true)
    for (const part of [/\d{4}-\d{6}/, /€30\.00/, /ADA LOVELACE/, /400000\W+0077/]) expect(text).toMatch(part)
    expect(logged).toEqual([])

    await expect(button).toBeEnabled()
    const before = await page.getByRole('main').innerText()
    await refuse(page, '**/api/v1/orders/*/invoice', 503, 'The invoice is not ready')
    await button.click()
    await expect.poll(() => logged.some((text) => text.includes('The invoice is not ready'))).toBe(true)
    await expect(button).toBeEnabled()
    expect(await page.getByRole('main').innerText()).toBe(before)
    await expect(page.getByRole('alert')).toHaveCount(0)
  },
)
