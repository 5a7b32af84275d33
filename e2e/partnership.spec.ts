import type { Page } from '@playwright/test'
import {
  aCustomer,
  confirm,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  order,
  payWith,
  signUp,
  test,
} from './fixtures.ts'

const PAGES = [
  { path: '/partnership/referral', title: 'Hedgerow – Referral programme' },
  { path: '/partnership/promocode', title: 'Hedgerow – Promocode programme' },
  { path: '/partnership/resell', title: 'Hedgerow – White label programme' },
] as const

/** The levels as the specification has them (section 9): level, transactions, share. */
const LEVELS = [
  ['1', '0', '10%'],
  ['2', '1', '15%'],
  ['3', '5', '20%'],
  ['4', '10', '25%'],
  ['5', '25', '30%'],
]

/** What the API says of the partnership of whoever is logged in. */
const partnershipOf = async (page: Page, token: string) => {
  const reply = await page.request.get('/api/v1/partnership', {
    headers: { authorization: `Bearer ${token}` },
  })
  return reply.json()
}

const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => localStorage.getItem('access_token') ?? '')

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the partnership pages have no barriers in ${colorScheme}, and fit 320 pixels`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const { path, title } of PAGES) {
      await page.goto(path)
      await expect(page).toHaveTitle(title)
      await expect(page.locator('h1')).toHaveCount(1)
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 320, height: 640 })
    for (const { path } of PAGES) {
      await page.goto(path)
      await expectNoSidewaysScroll(page)
    }
  })
}

test('the levels table is there without a script, also at /partnership', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })
  const page = await context.newPage()
  for (const path of ['/partnership', '/partnership/referral', '/partnership/promocode']) {
    await page.goto(path)
    const rows = page.getByRole('table', { name: 'Levels of partnership' }).locator('tbody tr')
    await expect(rows).toHaveCount(LEVELS.length)
    for (const [position, level] of LEVELS.entries()) {
      const cells = await rows.nth(position).locator('th, td').allTextContents()
      expect(cells.slice(0, 3)).toEqual(level)
    }
  }
  await context.close()
})

test("'Participate program' leads to the application, by way of the log-in", async ({ page }) => {
  await page.goto('/partnership/resell')
  await page.getByRole('link', { name: 'Participate program' }).click()
  await page.waitForURL(/\/login\?redirectUrl=%2Fsubmit$/)
})

test('who follows a link before the script has come keeps the code', async ({ page }) => {
  // Scripts that do nothing stand for those that are still on their way.
  await page.route(/\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.goto('/?ref=HEDGE23456')
  await page.unroute(/\.js$/)
  await page.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login\?ref=HEDGE23456$/)
})

test('who comes by a referral link, signs up and pays is a crossing and a transaction', async ({
  page,
  browser,
}) => {
  test.slow()
  await aCustomer(page)
  const partner = await tokenOf(page)
  const { referralLink, promocode } = await partnershipOf(page, partner)
  expect(referralLink).toBe(`${process.env.SHOP_URL}/?ref=${promocode}`)

  const context = await browser.newContext({ baseURL: process.env.SHOP_URL ?? '' })
  const friend = await context.newPage()
  const counted = friend.waitForResponse(/\/api\/v1\/partnership\/crossings$/)
  await friend.goto(referralLink)
  expect((await counted).status()).toBe(200)
  await friend.reload()
  await friend.getByRole('link', { name: 'Login' }).click()
  await friend.waitForURL(new RegExp(`/login\\?ref=${promocode}$`))
  await friend.getByRole('tab', { name: 'Sign Up' }).click()
  await friend.waitForURL(new RegExp(`/signup\\?ref=${promocode}$`))
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
  expect(await friend.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)

  const { email } = await signUp(friend)
  await confirm(friend, email)
  await friend.goto('/login?redirectUrl=/calculator')
  await logIn(friend, email)
  await friend.waitForURL(({ pathname }) => pathname === '/calculator')
  expect(await partnershipOf(page, partner)).toMatchObject({ crossings: 1, transactions: 0, level: 1 })
  await order(friend)
  await payWith(friend, '4000000000000077')
  await friend.waitForURL(/\/payment\/success/)
  expect(await partnershipOf(page, partner)).toMatchObject({
    crossings: 1,
    transactions: 1,
    level: 2,
    percentage: 15,
  })
  await context.close()
})
