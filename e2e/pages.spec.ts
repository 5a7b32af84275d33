import type { Browser, Page } from '@playwright/test'
import { scriptsOfPages } from '../bench/landing-bytes.ts'
import { anAccount, anOrder, aPurchase, call, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

/** Every public page, so many at once that no test takes long. */
const PUBLIC = {
  'what is sold': [
    '/',
    '/products',
    '/calculator',
    '/partnership/referral',
    '/partnership/promocode',
    '/partnership/resell',
  ],
  'the manual': [
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
    '/manual/mikrotik',
    '/manual/opnsense',
    '/manual/pfsense',
    '/manual/fritzbox',
    '/manual/keenetic',
    '/manual/amneziawg',
  ],
  'the way in': [
    '/login',
    '/signup',
    '/forgot',
    '/confirm',
    '/confirm?email=ada@example.org',
    '/confirm-failed',
    '/result?email=ada@example.org',
    '/reset-success',
    '/reset-failed',
  ],
  'what mails link to': [
    '/reset/a-token',
    '/email/confirm/a-token',
    '/email/undo/a-token',
    '/second-step/a-token',
    '/shared',
    '/payment/success',
    '/payment/reject',
    '/no/such/page',
  ],
  'the company': ['/terms', '/faq', '/cancel', '/status', '/check', '/contact', '/invoice'],
}

/** With letters of twice the size on a phone, nothing is cut and nothing goes sideways (WCAG 1.4.4, 1.4.10). */
const expectRoomForLargeLetters = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const setLetters = (standard: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
  // Where a page's letters alone are enlarged, media queries do not know of it.
  const setRoot = (size: string) => page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
  await setRoot('32px')
  await expectNoSidewaysScroll(page)
  await setRoot('')
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

/** Without barriers, on a desktop in light and on a phone in dark, and narrow enough for every screen. */
const expectGoodPage = async (page: Page) => {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page).toHaveTitle(/^Hedgerow – ./)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 768, height: 1024 })
  await expectNoSidewaysScroll(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  await expectRoomForLargeLetters(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
}

for (const [name, paths] of Object.entries(PUBLIC)) {
  test(`the pages of ${name} are free of barriers, and fit every screen`, async ({ page }) => {
    test.slow()
    for (const path of paths) {
      await test.step(path, async () => {
        await page.goto(path)
        await expectGoodPage(page)
      })
    }
  })
}

test('so are the pages of a customer', async ({ page }) => {
  test.slow()
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/robots.txt')
  for (const [path, text] of [
    ['/profile', 'Expires:'],
    ['/profile?tab=partnership', 'Crossings by link'],
    ['/profile?tab=profile', 'Postal code'],
    ['/profile?tab=history', 'Get Invoice'],
    ['/profile/security', 'Logged in'],
    ['/submit', 'Commentary'],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByText(text).first()).toBeVisible()
      await expectGoodPage(page)
    })
  }
})

test('so are those on which a customer pays', async ({ page }) => {
  test.slow()
  const customer = await anAccount()
  const orderId = await anOrder(customer)
  const [plan] = await call('GET', '/shop/items')
  await enter(page, customer, `/payment/checkout/${plan._id}`)
  const field = page.getByText('Security code').first()
  await expect(field).toBeVisible()
  await expectGoodPage(page)
  await page.goto(`/checkout/${orderId}`)
  await expect(field).toBeVisible()
  await expectGoodPage(page)
  for (const name of ['Open Banking', 'Blik']) {
    await test.step(name, async () => {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByLabel('First name')).toBeVisible()
      await expectGoodPage(page)
    })
  }
})

const withoutScripts = async (browser: Browser) =>
  (await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })).newPage()

/** The levels as the specification has them (section 9): level, transactions, share. */
const LEVELS = [
  ['1', '0', '10%'],
  ['2', '1', '15%'],
  ['3', '5', '20%'],
  ['4', '10', '25%'],
  ['5', '25', '30%'],
]

test('without scripts there are the prices, the plans, the steps and the levels', async ({ browser }) => {
  const page = await withoutScripts(browser)
  await page.goto('/')
  await expect(page.getByText('€30.00').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'OpenWrt' }).first()).toBeVisible()
  for (const text of ['For one', 'For a household', 'For an office'])
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
  const plans = page.locator('#plans a[href^="/payment/checkout/"]')
  await expect(plans).toHaveCount(10)
  await expect(plans.first()).toContainText('£6.50')
  await page.getByRole('link', { name: 'Step by step, for every device' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Android' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('WireGuard on Android')
  await expect(page.getByRole('img', { name: /Scan from QR code/ })).toBeVisible()
  for (const path of ['/partnership', '/partnership/referral', '/partnership/promocode']) {
    await page.goto(path)
    const rows = page.getByRole('table', { name: 'Levels of partnership' }).locator('tbody tr')
    await expect(rows).toHaveCount(LEVELS.length)
    for (const [position, level] of LEVELS.entries()) {
      const cells = await rows.nth(position).locator('th, td').allTextContents()
      expect(cells.slice(0, 3)).toEqual(level)
    }
  }
  await page.context().close()
})

test('an address that leads nowhere answers 404, with a page that leads home', async ({ page, request }) => {
  for (const path of [
    '/%',
    '/checkout/%ff',
    '/LOGIN',
    '/manual/amiga',
    `/checkout/${'a'.repeat(300)}`,
    '//evil.example',
    '/login//',
    '/a%00',
  ])
    expect((await request.get(`${process.env.SHOP_URL}${path}`)).status(), path).toBe(404)
  expect((await page.goto('/no/such/page'))?.status()).toBe(404)
  await expect(page.getByRole('link', { name: /Home/ }).first()).toBeVisible()
})

/** Kilobytes of script, compressed, that a page of the shop needs at most before it is there; 37 are what all share. */
const MOST_SCRIPT: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [42, 'check manual not-found payment-reject payment-success resell reset-failed second-step security'],
      [50, 'calculator email-confirm faq home reset-success terms'],
      [58, 'payment-result platform-manual profile promocode referral status'],
      [84, 'confirm confirm-failed confirm-link email-undo forgot reset result'],
      [90, 'cancel contact invoice login partnership question submit support'],
      [105, 'checkout connections plan-checkout profile-panel shared-connection'],
    ] as const
  ).flatMap(([most, names]) => names.split(' ').map((name) => [name, most])),
)
/** Of each page of the console; 93 are what all share. */
const MOST_OF_CONSOLE = 150

test('no page loads more script than it may', async () => {
  const pages = [...(await scriptsOfPages('storefront'))]
  const names = pages.map(([name]) => (name in MOST_SCRIPT ? name : name.replace(/-(?:page|panel)$/, '')))
  expect(names.toSorted()).toEqual(Object.keys(MOST_SCRIPT).toSorted())
  for (const [at, [name, bytes]] of pages.entries())
    expect(bytes / 1000, name).toBeLessThanOrEqual(MOST_SCRIPT[names[at] as string] as number)
  for (const [name, bytes] of await scriptsOfPages('console'))
    expect(bytes / 1000, `${name} of the console`).toBeLessThanOrEqual(MOST_OF_CONSOLE)
})

test('no cookie is set but the one against forgery, and nothing is asked of other hosts', async ({
  page,
  context,
}) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto('/')
  await page.goto('/login')
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
  expect([...hosts]).toEqual([new URL(page.url()).host])
})

const RELOAD = 'Reload the page'

test('without scripts every page says so, with a way to load it again', async ({ browser }) => {
  const page = await withoutScripts(browser)
  for (const path of ['/', '/login', '/terms', '/profile', '/checkout/x', '/no/such/page']) {
    await page.goto(path)
    await expect(page.getByText(/needs JavaScript, which is off in this browser/)).toBeVisible()
    await expect(page.getByRole('link', { name: RELOAD }).filter({ visible: true })).toHaveAttribute(
      'href',
      '',
    )
    await expect(page.getByText(/which did not load/)).toBeHidden()
  }
  await page.context().close()
})

test('where the scripts do not load, the page says so after a while', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: process.env.SHOP_URL ?? '' })
  await context.route('**/assets/*.js', (route) => route.abort())
  const pages = await Promise.all(
    ['/?a=1', '/profile?tab=history'].map(async (path) => {
      const page = await context.newPage()
      // It waits in its styles, where no time is over however long the page takes.
      const styles = await context.newCDPSession(page)
      await styles.send('Animation.enable')
      await styles.send('Animation.setPlaybackRate', { playbackRate: 0 })
      await page.goto(path)
      await expect(page.getByText(/which did not load/)).toBeHidden()
      await expect(page.locator('#scripts-missing')).toHaveCSS('animation-delay', '8s')
      await styles.send('Animation.setPlaybackRate', { playbackRate: 1 })
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

test('the headings of the home page read the same before its scripts as with them', async ({ browser }) => {
  const headings = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: process.env.SHOP_URL ?? '' })
    const page = await context.newPage()
    await page.goto('/', { waitUntil: 'networkidle' })
    const all = await page.locator('h1, h2, h3').allTextContents()
    await context.close()
    return all
  }
  const before = await headings(false)
  expect(before).toContain('1. Install a client')
  expect(await headings(true)).toEqual(before)
})

/** Where each element is, and how it looks. */
const LOOKS = `[...document.querySelectorAll('header > *, h1, main *')].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  const { color, backgroundColor, font, border } = getComputedStyle(element)
  return [element.tagName, ...[x, y, width, height].map(Math.round), color, backgroundColor, font, border].join(' ')
})`

for (const viewport of [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]) {
  test(`${viewport.width} pixels wide, a page looks the same before its scripts as with them`, async ({
    browser,
  }) => {
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
}
