import type { CDPSession, Page } from '@playwright/test'
import { anAccount, anOrder, aPurchase, call, enter } from './customers.ts'
import { expect, ON_A_PHONE, test } from './fixtures.ts'

/** The most that Google calls good is 0.1. */
const MOST = 0.02

/** A slow phone network: 1.6 Mbit/s, and 150 ms for each answer. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }

/** Adds up how far things move that no one has touched, from the first paint on. */
const WATCH = `
  window.shifted = 0
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      window.shifted += value
      window.shifts.push(value.toFixed(3) + ' ' + sources.map(({ node }) => node?.className ?? '').join(' | '))
    }
  }).observe({ type: 'layout-shift', buffered: true })`

const slowly = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', SLOW)
  return session
}

const expectUnmoved = async (page: Page, text: string, most = MOST) => {
  await expect(page.getByText(text).first()).toBeVisible()
  const shifts = await page.evaluate<string[]>('window.shifts')
  expect(await page.evaluate('window.shifted'), shifts.join('\n')).toBeLessThanOrEqual(most)
}

/** Opens each of them anew, and looks whether anything has moved by the time that this text is there. */
const expectStill = async (
  page: Page,
  pages: readonly (readonly [path: string, text: string, most?: number])[],
) => {
  await slowly(page)
  await page.addInitScript(WATCH)
  for (const [path, text, most] of pages) {
    await test.step(path, async () => {
      await page.goto(path, { waitUntil: 'networkidle' })
      await expectUnmoved(page, text, most)
    })
  }
}

const CHOSEN = encodeURIComponent('/calculator?days=45&connections=3&features=ad_filter&currency=EUR&order=1')

test('the pages of a visitor hold still while they load on a slow network', ON_A_PHONE, async ({ page }) => {
  test.slow()
  const [plan] = await call('GET', '/shop/items')
  const planned = encodeURIComponent(`/payment/checkout/${plan._id}`)
  await expectStill(page, [
    // A page full of text: paragraphs may wrap otherwise once the font is there. What Web Vitals call good.
    ['/faq', 'Where are the servers?', 0.1],
    ['/calculator', 'Your receipt'],
    ['/status', 'Locations'],
    [`/signup?redirectUrl=${CHOSEN}`, '€45.'],
    [`/signup?redirectUrl=${planned}`, plan.name],
    [`/login?redirectUrl=${planned}`, plan.name],
    ['/confirm?email=ada%40example.org', 'ada@example.org'],
  ])
})

test('the pages of a customer hold still while they load on a slow network', ON_A_PHONE, async ({ page }) => {
  test.slow()
  const customer = await anAccount()
  await aPurchase(customer)
  const orderId = await anOrder(customer)
  const [plan] = await call('GET', '/shop/items')
  await enter(page, customer, '/robots.txt')
  await expectStill(page, [
    ['/profile', 'Expires:'],
    ['/profile?tab=partnership', 'Crossings by link'],
    ['/profile?tab=profile', 'Postal code'],
    ['/profile?tab=history', 'Get Invoice'],
    ['/profile/security', 'This session'],
    [`/checkout/${orderId}`, 'Security code'],
    [`/payment/checkout/${plan._id}`, 'Security code'],
    ['/support', 'Describe your problem'],
  ])
  await test.step('/payment/success', async () => {
    const [paid] = await call('GET', '/payment/history', { token: customer.token })
    await page.goto('/payment/success')
    // As the page before hands it over.
    await page.evaluate(`history.replaceState(${JSON.stringify({ paymentId: paid._id })}, '')`)
    await page.reload({ waitUntil: 'networkidle' })
    await expectUnmoved(page, 'It works until')
  })
})
