import { SHIPPED_PLANS } from '@hedgerow/domain/plans'
import type { Page } from '@playwright/test'
import { aCustomer } from './customers.ts'
import { order, payWith, test } from './fixtures.ts'

const FOLDER = 'test-results/screens'
const WIDTHS = [360, 768, 1440]

const PUBLIC = {
  home: '/',
  calculator: '/calculator',
  login: '/login',
  signup: '/signup',
  confirm: '/confirm?email=ada@example.org',
  'confirm-failed': '/confirm-failed',
  result: '/result?email=ada@example.org',
  forgot: '/forgot',
  reset: '/reset/a-token',
  'reset-success': '/reset-success',
  'reset-failed': '/reset-failed',
  referral: '/partnership/referral',
  promocode: '/partnership/promocode',
  resell: '/partnership/resell',
  terms: '/terms',
  invoice: '/invoice',
  'payment-success': '/payment/success',
  'payment-reject': '/payment/reject',
  'not-found': '/no/such/page',
}

/** What waits until it comes into view would be missing from a picture of the whole page. */
const loadImages = (page: Page) =>
  page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager'
    return image.decode().catch(() => undefined)
  }))`)

const shoot = async (page: Page, screens: Record<string, string>) => {
  for (const [name, path] of Object.entries(screens)) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
      await page.goto(path, { waitUntil: 'networkidle' })
      await loadImages(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.screenshot({ path: `${FOLDER}/${name}-${width}-${colorScheme}.png`, fullPage: true })
      }
    }
  }
}

test('every screen of a visitor', async ({ page }) => {
  await shoot(page, PUBLIC)
})

test('every screen of a customer', async ({ page }) => {
  await aCustomer(page)
  await shoot(page, { 'profile-empty': '/profile', 'history-empty': '/profile?tab=history' })
  await page.goto('/calculator')
  await order(page)
  await payWith(page, '4111111111111111')
  await page.waitForURL(/\/payment\/reject/)
  await page.goto('/calculator')
  await order(page)
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
  await page.goto('/calculator?days=90&connections=4&features=feature2')
  await order(page)
  const checkout = new URL(page.url()).pathname
  await shoot(page, {
    connections: '/profile',
    partnership: '/profile?tab=partnership',
    profile: '/profile?tab=profile',
    history: '/profile?tab=history',
    submit: '/submit',
    support: '/support',
    checkout,
    'plan-checkout': `/payment/checkout/${SHIPPED_PLANS[0]?.id}`,
  })
})
