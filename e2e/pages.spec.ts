import type { Page } from '@playwright/test'
import { anAccount, anOrder, aPurchase, call, enter } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, logIn, test } from './fixtures.ts'

const PUBLIC = [
  '/',
  '/products',
  '/clients',
  '/manual',
  '/manual/windows',
  '/manual/macos',
  '/manual/linux',
  '/manual/ios',
  '/manual/android',
  '/manual/openwrt',
  '/manual/gl-inet',
  '/manual/asus-merlin',
  '/calculator',
  '/login',
  '/signup',
  '/forgot',
  '/confirm',
  '/confirm?email=ada@example.org',
  '/confirm-failed',
  '/result?email=ada@example.org',
  '/reset-success',
  '/reset-failed',
  '/payment/success',
  '/payment/reject',
  '/terms',
  '/faq',
  '/cancel',
  '/status',
  '/check',
  '/contact',
  '/partnership/referral',
  '/partnership/promocode',
  '/partnership/resell',
  '/invoice',
  '/reset/a-token',
  '/email/confirm/a-token',
  '/email/undo/a-token',
  '/second-step/a-token',
  '/no/such/page',
]

/** With letters of twice the size on a phone, nothing is cut and nothing goes sideways (WCAG 1.4.4, 1.4.10). */
const expectRoomForLargeLetters = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const setLetters = (standard: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
  await page.setViewportSize({ width: 360, height: 740 })
  await setLetters(32)
  await expect.poll(() => page.evaluate('parseFloat(getComputedStyle(document.body).fontSize)')).toBe(32)
  await expectNoSidewaysScroll(page)
  const cut = await page.evaluate(`
    [...document.querySelectorAll('main :is(p, dd, dt, li, h1, h2, h3, label, a, button, summary)')].filter((part) => {
      const { overflowX, textOverflow } = getComputedStyle(part)
      const isCut = part.scrollWidth > part.clientWidth + 1 && overflowX === 'hidden' && textOverflow !== 'ellipsis'
      return isCut && !part.closest('.sr-only')
    }).map((part) => part.textContent)
  `)
  expect(cut).toEqual([])
  await setLetters(16)
  await session.detach()
}

/** Without barriers (on a desktop in light, on a phone in dark) and narrow enough for the smallest phone. */
const expectGoodPage = async (page: Page) => {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page).toHaveTitle(/^Hedgerow – ./)
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await expectRoomForLargeLetters(page)
  if (size) await page.setViewportSize(size)
}

test('every public page is free of barriers, and fits 320 pixels', async ({ page }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of PUBLIC) {
    await test.step(path, async () => {
      await page.goto(path)
      await expectGoodPage(page)
    })
  }
})

test('so is every page of a customer', async ({ page }) => {
  test.slow()
  const customer = await anAccount()
  await aPurchase(customer)
  const orderId = await anOrder(customer)
  const [plan] = await call('GET', '/shop/items')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enter(page, customer, '/profile')
  for (const [path, text] of [
    ['/profile', 'Expires:'],
    ['/profile?tab=partnership', 'Crossings by link'],
    ['/profile?tab=profile', 'Postal code'],
    ['/profile?tab=history', 'Get Invoice'],
    ['/profile/security', 'Logged in'],
    ['/submit', 'Commentary'],
    ['/support', 'Describe your problem'],
    [`/payment/checkout/${plan._id}`, 'Security code'],
    [`/checkout/${orderId}`, 'Security code'],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByText(text).first()).toBeVisible()
      await expectGoodPage(page)
    })
  }
  for (const name of ['Open Banking', 'Blik']) {
    await test.step(name, async () => {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByLabel('First name')).toBeVisible()
      await expectGoodPage(page)
    })
  }
})

test('an unknown path answers 404 with a page that helps', ANY_WIDTH, async ({ page }) => {
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('link', { name: /Home/ }).first()).toBeVisible()
})

test.describe('an address that nobody can read answers like one that leads nowhere', () => {
  for (const path of [
    '/%',
    '/checkout/%ff',
    '/LOGIN',
    '/manual/amiga',
    `/checkout/${'a'.repeat(300)}`,
    '//evil.example',
    '/login//',
    '/assets/..%5cpackage.json',
    '/a%00',
  ]) {
    test(path, ANY_WIDTH, async ({ page }) => {
      const response = await page.goto(`${process.env.SHOP_URL}${path}`)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('link', { name: /Home/ }).first()).toBeVisible()
    })
  }
})

test('a slash at the end of an address changes nothing', ANY_WIDTH, async ({ page }) => {
  for (const path of ['/terms/', '/reset/x/', '/profile/'])
    expect((await page.goto(path))?.status()).toBe(200)
})

test('a cookie that someone spoilt is replaced by the next page', ANY_WIDTH, async ({ page, context }) => {
  const spoilt = { name: 'XSRF-TOKEN', value: '%E2%98%83%', url: process.env.SHOP_URL ?? '' }
  await context.addCookies([spoilt])
  const { email } = await anAccount()
  await page.goto('/login')
  await logIn(page, email)
  await page.waitForURL(/\/profile/)
})

test('a browser that stores nothing shows the shop, and lets a customer in', ANY_WIDTH, async ({ page }) => {
  const { email } = await anAccount()
  await page.addInitScript(
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('insecure', 'SecurityError') } })",
  )
  await page.goto('/login')
  await logIn(page, email)
  await expect(page.getByRole('heading', { level: 1, name: /Ada/ })).toBeVisible()
})

test('what lies in the place of the token and is none counts for nothing', ANY_WIDTH, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('access_token', '\u2603\n{"token"'))
  await page.goto('/profile')
  await page.waitForURL(/\/login\?redirectUrl=%2Fprofile/)
})

test('the price and the steps are there without a script', ANY_WIDTH, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByText('€30.00').first()).toBeVisible()
  await expect(page.getByText('Routers', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Step by step, for every device' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Android' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('WireGuard on Android')
  await expect(page.getByRole('img', { name: /Scan from QR code/ })).toBeVisible()
  await context.close()
})

test(
  'no cookie is set but the one against forgery, and nothing is asked of other hosts',
  ANY_WIDTH,
  async ({ page, context }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto('/')
    await page.goto('/login')
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
    expect([...hosts]).toEqual([new URL(page.url()).host])
  },
)

test(
  'the total and the buttons can be reached and worked with the keyboard alone',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/calculator')
    const days = page.getByRole('spinbutton', { name: 'Days' })
    await expect(async () => {
      await days.focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('7')
      await expect(page.getByText('€7.00').first()).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.getByRole('switch', { name: 'Priority bandwidth' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByText('€7.05').first()).toBeVisible()
  },
)

const RELOAD = 'Reload the page'

test('without scripts every page says so, with a way to load it again', ANY_WIDTH, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })
  const page = await context.newPage()
  for (const path of ['/', '/login', '/terms', '/profile', '/checkout/x', '/no/such/page']) {
    await page.goto(path)
    await expect(page.getByText(/needs JavaScript, which is off in this browser/)).toBeVisible()
    await expect(page.getByRole('link', { name: RELOAD }).filter({ visible: true })).toHaveAttribute(
      'href',
      '',
    )
    await expect(page.getByText(/which did not load/)).toBeHidden()
  }
  await context.close()
})

test('where the scripts do not load, the page says so after a while', ANY_WIDTH, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: process.env.SHOP_URL ?? '' })
  await context.route('**/assets/*.js', (route) => route.abort())
  const pages = await Promise.all(
    ['/?a=1', '/profile?tab=history'].map(async (path) => {
      const page = await context.newPage()
      await page.goto(path)
      await expect(page.getByText(/which did not load/)).toBeHidden()
      return page
    }),
  )
  await Promise.all(
    pages.map((page) => expect(page.getByText(/needs its scripts, which did not load/)).toBeVisible()),
  )
  await context.unroute('**/assets/*.js')
  for (const page of pages) {
    const address = page.url()
    await page.getByRole('link', { name: RELOAD }).click()
    await expect(page.getByText(/which did not load/)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Who was asked to log in first comes back there.
    expect(decodeURIComponent(page.url())).toContain(new URL(address).pathname + new URL(address).search)
  }
  await context.close()
})

/** Where each element is, and how it looks. */
const LOOKS = `[...document.querySelectorAll('header > *, h1, main *')].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  const { color, backgroundColor, font, border } = getComputedStyle(element)
  return [element.tagName, ...[x, y, width, height].map(Math.round), color, backgroundColor, font, border].join(' ')
})`

test('a page looks the same before its scripts as with them', async ({ browser, viewport }) => {
  const elements = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({
      javaScriptEnabled,
      viewport,
      baseURL: process.env.SHOP_URL ?? '',
    })
    const page = await context.newPage()
    const all: string[] = []
    for (const path of ['/terms', '/login', '/partnership/resell']) {
      await page.goto(path, { waitUntil: 'networkidle' })
      const found = await page.evaluate<string[]>(LOOKS)
      all.push(path, ...found)
    }
    await context.close()
    return all
  }
  expect(await elements(true)).toEqual(await elements(false))
})

test(
  'a page whose own script does not load says so, and the others are there',
  ANY_WIDTH,
  async ({ browser }) => {
    const context = await browser.newContext({ baseURL: process.env.SHOP_URL ?? '' })
    const page = await context.newPage()
    await page.goto('/terms')
    await page.route('**/assets/invoice-page*.js', (route) => route.abort())
    await page.goto('/invoice')
    await expect(page.getByRole('alert')).toContainText('This page did not load')
    await page.getByRole('link', { name: 'Terms of service' }).first().waitFor()
    await page.unroute('**/assets/invoice-page*.js')
    await page.getByRole('button', { name: RELOAD }).click()
    await expect(page.getByLabel('PAN')).toBeVisible()
    await context.close()
  },
)
