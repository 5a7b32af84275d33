import type { Page, Request } from '@playwright/test'
import { anAccount, aPurchase, call, newEmail } from '../customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

const LISTS = [
  '/',
  '/inbox',
  '/customers',
  '/orders',
  '/payments',
  '/payments/unknown',
  '/payments/comparison',
  '/connections',
  '/nodes',
  '/disputes',
  '/cancellations?all=true',
  '/partners',
  '/partners/rings',
  '/promocodes',
  '/withdrawals',
  '/withdrawals/files',
]
const FORMS = [
  '/plans',
  '/finance/month',
  '/finance/returns',
  '/finance/rates',
  '/finance/settlement',
  '/finance/settlement/comparison',
  '/finance/credit-notes',
  '/incidents',
  '/settings',
  '/set-up',
  '/set-up/address',
  '/set-up/mail',
  '/set-up/gateway',
  '/set-up/doctor',
  '/jobs',
  '/record',
  '/operators',
  '/account',
]

/** Free of barriers, at a desk in light and on a phone in dark, and wide enough for neither to go sideways. */
const expectGoodPages = async (page: Page, paths: readonly string[]) => {
  for (const path of paths) {
    await test.step(path, async () => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main .animate-pulse')).toHaveCount(0)
      await expect(page.getByText('This address leads nowhere')).toHaveCount(0)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await page.setViewportSize({ width: 360, height: 740 })
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })
  }
}

test('every list of the console is free of barriers, and fits a phone', async ({ page }) => {
  test.slow()
  const customer = await anAccount()
  await aPurchase(customer)
  const body = { id: crypto.randomUUID(), email: newEmail(), name: 'Ada', problem: 'It is slow.' }
  await call('POST', '/support', { token: customer.token, body })
  await expectGoodPages(page, LISTS)
})

test('so is every other page', async ({ page }) => {
  test.slow()
  await expectGoodPages(page, FORMS)
})

/** Script, styles, fonts and the document, compressed. */
const MOST_AT_FIRST = 220_000

test('a first visit loads no more than it may', async ({ page }) => {
  const sizes: Promise<number>[] = []
  const weigh = (request: Request) => {
    if (!request.url().includes('/api/'))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  }
  page.on('requestfinished', weigh)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expect(page.locator('main .animate-pulse')).toHaveCount(0)
  page.off('requestfinished', weigh)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(MOST_AT_FIRST)
})
