import { aCustomer, anAccount, enter } from './customers.ts'
import { clickUntil, expect, expectNoSidewaysScroll, ON_A_PHONE, takenOver, test } from './fixtures.ts'

const HEADER = ['/', '/products', '/partnership/referral', '/partnership/promocode', '/partnership/resell']
const EVERYWHERE = [...HEADER, '/clients', '/support']
const FOOTER = [
  '/faq',
  ...EVERYWHERE,
  '/profile',
  '/submit',
  '/cancel',
  '/contact',
  '/legal/terms_of_service.pdf',
  '/legal/privacy_policy.pdf',
]

test('the footer leads everywhere, and says who runs the shop', async ({ page, request }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  for (const path of FOOTER) {
    await expect(footer.locator(`a[href="${path}"]`)).toHaveCount(1)
    expect((await request.get(path)).status(), path).toBe(200)
  }
  await expect(footer.getByRole('link', { name: 'Participate' })).toHaveAttribute('href', '/submit')
  await expect(footer).toContainText('Company number')
  await expect(footer).toContainText('Sample legal texts – not reviewed')
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`)
  for (const mark of ['Visa', 'Mastercard', 'Blik', 'European Union', 'Mastodon', 'GitHub', 'X'])
    await expect(footer.getByRole('img', { name: mark, exact: true })).toHaveCount(1)
})

test(
  'the header leads to the partnership pages by its menu, and closes it behind one',
  ON_A_PHONE,
  async ({ page }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: /^(Menu|Partnership)$/ })
    const link = page
      .getByRole('navigation')
      .getByRole('link', { name: 'Promocodes' })
      .locator('visible=true')
    await clickUntil(
      () => button.locator('visible=true').click(),
      () => expect(link.first()).toBeVisible({ timeout: 1000 }),
    )
    await link.first().click()
    await page.waitForURL('/partnership/promocode')
    await expect(button.locator('visible=true')).toBeVisible()
    await expect(page.locator('.menu:popover-open')).toHaveCount(0)
  },
)

test('the home page opens at the part that its address means', async ({ page }) => {
  for (const [path, section] of [
    ['/', 'start'],
    ['/features', 'features'],
    ['/products', 'products'],
    ['/clients', 'clients'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator(`#${section}`)).toBeInViewport()
    // A part may be in sight before the page has gone to it.
    await expect
      .poll(() => page.locator(`#${section}`).evaluate((part) => part.getBoundingClientRect().top))
      .toBeLessThan(400)
    if (path === '/') expect(await page.evaluate('scrollY')).toBe(0)
  }
})

test('after following a link the focus is on the heading of the new page', async ({ page }) => {
  await page.goto('/terms')
  await takenOver(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Referral programme' }).click()
  await page.waitForURL(/\/partnership\/referral$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Manual' }).click()
  await page.waitForURL(/\/clients$/)
  await expect(page.locator('#clients h2')).toBeFocused()
})

test('the year in the footer is the current one, also of pages that were made in another', async ({
  page,
}) => {
  await page.clock.setFixedTime('2031-03-01T12:00:00Z')
  await page.goto('/')
  await expect(page.getByRole('contentinfo')).toContainText('© 2031')
})

test('public pages say what they are to search engines and to those who share them', async ({ request }) => {
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const shop = process.env.SHOP_URL
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${shop}/`)
  const paths = [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, href]) =>
    (href as string).replace(`${shop}/`, '/'),
  )
  expect(paths).toContain('/partnership/referral')
  const pictures = new Set<string>()
  for (const path of paths) {
    const html = await (await request.get(path)).text()
    expect(html.match(/<title>[^<]+</g), path).toHaveLength(1)
    expect(html, path).toMatch(/<title>Hedgerow – [^<]+</)
    expect(html.match(/<h1/g), path).toHaveLength(1)
    expect(html, path).toContain(`<link rel="canonical" href="${shop}${path}">`)
    expect(html, path).toContain(`property="og:url" content="${shop}${path}"`)
    for (const name of ['og:title', 'og:description', 'og:image'])
      expect(html, path).toContain(`property="${name}"`)
    expect(html, path).not.toContain('noindex')
    const [, picture] = html.match(/property="og:image" content="([^"]+)"/) ?? []
    pictures.add(new URL(picture as string).pathname)
    expect(html, path).toMatch(/property="og:image:alt" content="[^"]{10,}"/)
  }
  expect(pictures.size).toBeGreaterThan(1)
  for (const picture of pictures) {
    const response = await request.get(picture)
    expect(response.headers()['content-type'], picture).toBe('image/png')
    const bytes = await response.body()
    expect(bytes.byteLength, picture).toBeLessThan(60_000)
    // Width and height stand at the beginning of the file.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], picture).toEqual([1200, 630])
  }
})

test('on a phone the header is one row, also with a long name', ON_A_PHONE, async ({ page }) => {
  const expectOneRow = async () => {
    const header = page.getByRole('banner')
    expect((await header.boundingBox())?.height).toBeLessThan(70)
    const controls = header.locator('a, button, select').locator('visible=true')
    for (const control of await controls.all()) {
      const box = await control.boundingBox()
      if (!box) throw new Error('A control of the header is not there')
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
      expect(box.x + box.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
    }
  }
  await page.goto('/terms')
  await takenOver(page)
  await expectOneRow()
  await enter(page, await anAccount('Maximiliana Featherstonehaugh-Cholmondeley'), '/terms')
  const account = page.getByRole('banner').getByRole('button', { name: 'Maximiliana' })
  await account.click()
  await expectOneRow()
  const list = await page.locator('.menu:popover-open').boundingBox()
  const button = await account.boundingBox()
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeCloseTo((button?.x ?? 0) + (button?.width ?? 0), 0)
})

test(
  'on a phone the price and the button stay in view as long as the calculator, and hide nothing',
  ON_A_PHONE,
  async ({ page }) => {
    await page.goto('/')
    await takenOver(page)
    const total = page.getByRole('status').filter({ hasText: '€30.00' })
    const button = page.getByRole('main').getByRole('link', { name: 'Sign up to buy' })
    for (const part of [page.getByRole('heading', { level: 1 }), total, button])
      await expect(part).toBeInViewport({ ratio: 1 })
    const bar = page.locator('.buy-bar')
    await page.getByRole('link', { name: 'Get Vpn' }).focus()
    const isInBar = () => page.locator(':focus').evaluate((one) => one.closest('.buy-bar') !== null)
    let steps = 0
    for (await page.keyboard.press('Tab'); !(await isInBar()); await page.keyboard.press('Tab')) {
      const focused = await page.locator(':focus').boundingBox()
      const edge = await bar.boundingBox()
      if (!focused || !edge) throw new Error('Nothing has the focus')
      steps += 1
      expect(focused.y + focused.height, String(steps)).toBeLessThanOrEqual(edge.y + 1)
    }
    expect(steps).toBeGreaterThanOrEqual(12)
    await page.getByRole('heading', { name: 'Price plans' }).scrollIntoViewIfNeeded()
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(total).not.toBeInViewport()
    await page.setViewportSize({ width: 740, height: 360 })
    await page.goto('/')
    await expect(bar).toHaveCSS('position', 'static')
  },
)

test('with colours of one’s own, what is chosen still looks chosen', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/calculator')
  const background = (label: string) =>
    page
      .getByRole('group', { name: 'Currency' })
      .locator('label')
      .filter({ hasText: label })
      .evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).backgroundColor)
  expect(await background('EUR')).not.toBe(await background('GBP'))
  await clickUntil(
    () => page.getByRole('radio', { name: /GBP/ }).check({ timeout: 1000 }),
    async () => expect(await background('GBP')).not.toBe(await background('EUR')),
  )
  const option = page.getByRole('switch', { name: 'Priority bandwidth' })
  const colour = () =>
    option.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).backgroundColor)
  const off = await colour()
  await option.check()
  await expect.poll(colour).not.toBe(off)
})

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
