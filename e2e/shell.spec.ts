import { aCustomer, clickUntil, expect, expectNoSidewaysScroll, test } from './fixtures.ts'

const HEADER = ['/', '/products', '/partnership/referral', '/partnership/promocode', '/partnership/resell']
const EVERYWHERE = [...HEADER, '/clients', '/support']
const FOOTER = [
  ...EVERYWHERE,
  '/profile',
  '/submit',
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
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`)
  for (const mark of ['Visa', 'Mastercard', 'Blik', 'European Union', 'Mastodon', 'GitHub', 'X'])
    await expect(footer.getByRole('img', { name: mark, exact: true })).toHaveCount(1)
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

test('the currency starts at euro, and changing it changes the prices', async ({ page }) => {
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
  await aCustomer(page)
  const menu = page.getByRole('banner').getByRole('button', { name: 'Ada Lovelace' })
  await menu.click()
  await expect(page.getByRole('link', { name: 'Profile' }).first()).toHaveAttribute('href', '/profile')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('/')
  expect(await page.evaluate("localStorage.getItem('access_token')")).toBeNull()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})

for (const [path, section] of [
  ['/features', 'features'],
  ['/products', 'products'],
  ['/clients', 'clients'],
] as const) {
  test(`${path} opens the home page at its part`, async ({ page }) => {
    await page.goto(path)
    await expect(page.locator(`#${section}`)).toBeInViewport()
    expect(
      await page.locator(`#${section}`).evaluate((part) => part.getBoundingClientRect().top),
    ).toBeLessThan(400)
  })
}

test('public pages say what they are to search engines and to those who share them', async ({ request }) => {
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
