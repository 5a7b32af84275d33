import { aCustomer } from './customers.ts'
import { ANY_WIDTH, clickUntil, expect, expectNoSidewaysScroll, test } from './fixtures.ts'

const HEADER = ['/', '/products', '/partnership/referral', '/partnership/promocode', '/partnership/resell']
const EVERYWHERE = [...HEADER, '/clients', '/support']
const FOOTER = [
  '/faq',
  ...EVERYWHERE,
  '/profile',
  '/submit',
  '/cancel',
  '/legal/terms_of_service.pdf',
  '/legal/privacy_policy.pdf',
]

test('the footer leads everywhere, and says who runs the shop', ANY_WIDTH, async ({ page, request }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  for (const path of FOOTER) {
    await expect(footer.locator(`a[href="${path}"]`)).toHaveCount(1)
    expect((await request.get(path)).status(), path).toBe(200)
  }
  await expect(footer.getByRole('link', { name: 'Participate' })).toHaveAttribute('href', '/submit')
  await expect(footer).toContainText('Company number')
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`)
  for (const mark of ['Visa', 'Mastercard', 'Blik', 'European Union', 'Mastodon', 'GitHub', 'X'])
    await expect(footer.getByRole('img', { name: mark, exact: true })).toHaveCount(1)
})

test('the header leads to every part of the shop', async ({ page }) => {
  await page.goto('/terms')
  const header = page.getByRole('banner')
  const menu = header.getByRole('button', { name: /^(Menu|Partnership)$/ }).locator('visible=true')
  await menu.click()
  for (const [label, path] of [
    ['Home', '/'],
    ['Products', '/products'],
    ['Referral programme', '/partnership/referral'],
    ['Promocodes', '/partnership/promocode'],
    ['White label', '/partnership/resell'],
    ['Manual', '/clients'],
    ['Support', '/support'],
    ['Login', '/login'],
  ] as const) {
    const link = header.getByRole('link', { name: label, exact: true }).locator('visible=true')
    await expect(link, label).toHaveCount(1)
    await expect(link).toHaveAttribute('href', path)
  }
  const currency = header.getByRole('combobox', { name: 'Currency' })
  await expect(currency.getByRole('option')).toHaveText(['€ EUR', '£ GBP'])
})

test('the header leads to the partnership pages by its menu, and closes it behind one', async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: /^(Menu|Partnership)$/ })
  const link = page.getByRole('navigation').getByRole('link', { name: 'Promocodes' }).locator('visible=true')
  await clickUntil(
    () => button.locator('visible=true').click(),
    () => expect(link.first()).toBeVisible({ timeout: 1000 }),
  )
  await link.first().click()
  await page.waitForURL('/partnership/promocode')
  await expect(button.locator('visible=true')).toBeVisible()
  await expect(page.locator('.menu:popover-open')).toHaveCount(0)
})

test('the currency starts at euro, and changing it changes the prices', ANY_WIDTH, async ({ page }) => {
  await page.goto('/')
  const currency = page.getByRole('combobox', { name: 'Currency' })
  await expect(currency).toHaveValue('EUR')
  await clickUntil(
    async () => void (await currency.selectOption('GBP')),
    () => expect(page.getByText('£30.00').first()).toBeVisible({ timeout: 1000 }),
  )
})

test('a visitor finds Login, a customer their name with the profile and the way out', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveAttribute(
    'href',
    '/login',
  )
  await aCustomer(page, '/terms')
  const menu = page.getByRole('banner').getByRole('button', { name: 'Ada Lovelace' })
  await menu.click()
  await expect(page.getByRole('link', { name: 'Profile' }).first()).toHaveAttribute('href', '/profile')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  await expect.poll(() => page.evaluate("localStorage.getItem('access_token')")).toBeNull()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})

test('the home page opens at the part that its address means', async ({ page }) => {
  for (const [path, section] of [
    ['/', 'start'],
    ['/features', 'features'],
    ['/products', 'products'],
    ['/clients', 'clients'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator(`#${section}`)).toBeInViewport()
    expect(
      await page.locator(`#${section}`).evaluate((part) => part.getBoundingClientRect().top),
    ).toBeLessThan(400)
    if (path === '/') expect(await page.evaluate('scrollY')).toBe(0)
  }
})

test('the home page says what one gets and how to connect', ANY_WIDTH, async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const name of ['Fast speed', 'Online security', 'Easy access', 'Install a client', 'Price plans'])
    await expect(main.getByRole('heading', { name })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Turn it on, and browse' })).toBeVisible()
  await expect(main).toContainText('Scan its QR code in your profile, or import the file')
  for (const platform of ['Windows', 'macOS', 'Linux', 'iOS', 'Android', 'Routers']) {
    const steps = main.getByRole('group').filter({ has: page.locator('summary', { hasText: platform }) })
    await steps.locator('summary').click()
    await expect(steps.getByRole('listitem').last()).toBeVisible()
    await expect(steps.getByRole('listitem')).toHaveCount(3)
  }
  await main.getByRole('link', { name: 'Get Vpn' }).click()
  await page.waitForURL(/\/products$/)
  await expect(page.locator('#products')).toBeInViewport()
})

test('after following a link the focus is on the heading of the new page', ANY_WIDTH, async ({ page }) => {
  await page.goto('/terms')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Referral programme' }).click()
  await page.waitForURL(/\/partnership\/referral$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Manual' }).click()
  await page.waitForURL(/\/clients$/)
  await expect(page.locator('#clients h2')).toBeFocused()
})

test(
  'the year in the footer is the current one, also of pages that were made in another',
  ANY_WIDTH,
  async ({ page }) => {
    await page.clock.setFixedTime('2031-03-01T12:00:00Z')
    await page.goto('/')
    await expect(page.getByRole('contentinfo')).toContainText('© 2031')
  },
)

test(
  'public pages say what they are to search engines and to those who share them',
  ANY_WIDTH,
  async ({ request }) => {
    const sitemap = await (await request.get('/sitemap.xml')).text()
    expect(await (await request.get('/robots.txt')).text()).toContain('Sitemap: ')
    const paths = [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, href]) => new URL(href as string).pathname)
    expect(paths).toContain('/partnership/referral')
    for (const path of paths) {
      const html = await (await request.get(path)).text()
      expect(html.match(/<title>[^<]+</g), path).toHaveLength(1)
      expect(html, path).toMatch(/<title>Hedgerow – [^<]+</)
      expect(html.match(/<h1/g), path).toHaveLength(1)
      expect(html, path).toMatch(new RegExp(`<link rel="canonical" href="[^"]+${path}">`))
      for (const name of ['og:title', 'og:description', 'og:image', 'og:url'])
        expect(html, path).toContain(`property="${name}"`)
      expect(html, path).not.toContain('noindex')
    }
    expect((await request.get('/social.png')).headers()['content-type']).toBe('image/png')
  },
)

test('a long name is cut short in the header and leaves the shop its own', async ({ page }) => {
  await aCustomer(page)
  await page.goto('/profile?tab=profile')
  await page.getByRole('textbox', { name: 'Nickname' }).fill('W'.repeat(100))
  const account = page.getByRole('banner').getByRole('button', { name: 'W'.repeat(100) })
  await account.waitFor()
  const name = await page.getByRole('banner').getByRole('link', { name: 'Hedgerow' }).boundingBox()
  const menu = await account.boundingBox()
  if (!name || !menu) throw new Error('The header shows no name')
  expect(menu.width).toBeLessThanOrEqual(192)
  expect(menu.x).toBeGreaterThan(name.x + name.width)
  await expectNoSidewaysScroll(page)
})
