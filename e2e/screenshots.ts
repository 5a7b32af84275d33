import { SHIPPED_PLANS } from '@hedgerow/domain/plans'
import type { Page } from '@playwright/test'
import { aCustomer, anAccount, anOrder, enter } from './customers.ts'
import { expect, order, payWith, test } from './fixtures.ts'

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
  manual: '/manual',
  'manual-android': '/manual/android',
  'manual-linux': '/manual/linux',
  terms: '/terms',
  faq: '/faq',
  cancel: '/cancel',
  contact: '/contact',
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

/** Waits until the page is painted as it stays: its letters are there, and no colour is on its way to another. */
const settle = (page: Page) =>
  page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const ends = (animation) => animation.effect?.getComputedTiming().endTime !== Infinity
    await document.fonts.ready
    await frame()
    await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished))
    await frame()
    await frame()
  })()`)

const setWidth = (page: Page, width: number) =>
  page.setViewportSize({ width, height: width < 500 ? 740 : 900 })

/** The page as it stands, in light and in dark. */
const shootSchemes = async (page: Page, name: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settle(page)
    await page.screenshot({
      path: `${FOLDER}/${name}-${colorScheme}.png`,
      fullPage: true,
      animations: 'disabled',
    })
  }
}

/** The page as it stands, at each width: of what is not there any more after a reload. */
const shootAsItStands = async (page: Page, name: string) => {
  for (const width of WIDTHS) {
    await setWidth(page, width)
    await shootSchemes(page, `${name}-${width}`)
  }
}

const shoot = async (page: Page, screens: Record<string, string>) => {
  for (const [name, path] of Object.entries(screens)) {
    for (const width of WIDTHS) {
      await setWidth(page, width)
      await page.goto(path, { waitUntil: 'networkidle' })
      await loadImages(page)
      await shootSchemes(page, `${name}-${width}`)
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

const REFUND = {
  _id: 'f0000000-0000-4000-8000-000000000001',
  creditNote: 'CN-2026-000001',
  total: 10,
  currency: 'EUR',
  status: 'Success',
  createdAt: '2026-11-21T12:00:00Z',
}

test('every way to pay', async ({ page }) => {
  const customer = await anAccount()
  const checkout = async (currency: 'EUR' | 'GBP' = 'EUR') =>
    enter(page, customer, `/checkout/${await anOrder(customer, currency)}`)
  const fillPayer = async () => {
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace')
    await page.getByRole('checkbox').check()
  }
  const openTab = async (name: string) => {
    await page.getByRole('tab', { name }).click()
    await fillPayer()
  }
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

  await checkout('GBP')
  await openTab('Open Banking')
  await page.getByLabel('Your bank').waitFor()
  await shootAsItStands(page, 'pay-by-bank')
  await press(/^Pay /)
  await page.getByText('Choose a bank from the list').waitFor()
  await shootAsItStands(page, 'pay-by-bank-without-one')
  await page.getByLabel('Your bank').selectOption('Barclays')
  await press(/^Pay /)
  await page.getByText(/I agree that/).waitFor()
  await shootAsItStands(page, 'payment-consent')

  await checkout()
  await openTab('Blik')
  await shootAsItStands(page, 'pay-by-blik')
  await press(/^Pay /)
  await page.waitForURL(/at-bank/)
  await page.goBack()
  await page.getByText(/waiting to hear from your bank/).waitFor()
  await shootAsItStands(page, 'payment-returned')
  await page.goBack()
  await payWith(page, '4000000000000077')
  await page.getByText('You have already started to pay for this').waitFor()
  await shootAsItStands(page, 'payment-under-way')
  await page.route(/\/api\/v1\/orders\/[\w-]+$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const { instead: paymentId } = route.request().postDataJSON()
    const problem = { title: 'Conflict', detail: 'Under way', code: 'payment-under-way', paymentId }
    return route.fulfill({ status: 409, json: { status: 409, ...problem } })
  })
  await press('Start again')
  await page.getByText('Your bank is working on that payment').waitFor()
  await shootAsItStands(page, 'payment-at-work')
  await page.unrouteAll()

  await checkout()
  await payWith(page, '4000001111000014')
  await page.getByLabel('Postcode of the billing address').fill('00000')
  await page.getByLabel('Street and number of the billing address').focus()
  await page.getByLabel('Street and number of the billing address').blur()
  await shootAsItStands(page, 'payment-address')
  await page.getByLabel('Street and number of the billing address').fill('1 The Hedge')
  await press('Continue')
  await page.waitForURL(/payment\/reject/)
  await shootAsItStands(page, 'payment-reject-with-reason')

  await checkout()
  await payWith(page, '4000001111000022')
  await page.getByRole('img', { name: 'QR code to pay' }).waitFor()
  await shootAsItStands(page, 'payment-qr')

  await checkout()
  await payWith(page, '4000001111000030')
  await page.getByRole('button', { name: 'Send me the code' }).waitFor()
  await shootAsItStands(page, 'payment-code')
  await press('Send me the code')
  await page.getByLabel('Code').waitFor()
  await shootAsItStands(page, 'payment-code-sent')

  await page.route('**/api/v1/payment/methods', (route) =>
    route.fulfill({
      json: { card: { hosted: false }, openBanking: { currencies: ['GBP'] }, blik: { rates: [] } },
    }),
  )
  await checkout()
  await page.getByRole('tab', { name: 'Open Banking' }).click()
  await page.getByText('You cannot pay from a bank account').waitFor()
  await shootAsItStands(page, 'pay-by-bank-not-offered')
  await page.getByRole('tab', { name: 'Blik' }).click()
  await page.getByText('You cannot pay by Blik in').waitFor()
  await shootAsItStands(page, 'pay-by-blik-not-offered')

  await page.route('**/api/v1/payment/history', async (route) => {
    const [one, ...rest] = await (await route.fetch()).json()
    const blik = { method: 'blik', pan: undefined, charged: { total: 127.5, currency: 'PLN' } }
    const orders = [
      { ...one, _id: 'a', status: 'Success', refunds: [REFUND] },
      {
        ...one,
        _id: 'b',
        ...blik,
        status: 'Success',
        refundDue: true,
        refunds: [{ ...REFUND, total: 127.5, currency: 'PLN', status: 'Pending' }],
      },
    ]
    await route.fulfill({ json: [...orders, one, ...rest] })
  })
  await page.goto('/profile?tab=history')
  await expect(page.getByText('Partly refunded €10.00')).toBeVisible()
  await shootAsItStands(page, 'history-refunds')
})
