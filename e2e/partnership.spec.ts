import { aCustomer, anAccount, aPurchase, type Customer, call, enter } from './customers.ts'
import {
  ANY_WIDTH,
  confirm,
  expect,
  expectAccessible,
  expectFieldError,
  expectNoSidewaysScroll,
  order,
  payWith,
  signUp,
  test,
} from './fixtures.ts'
import { endHolds, ops } from './operator.ts'

const PAGES = [
  { path: '/partnership', title: 'Hedgerow – Referral programme' },
  { path: '/partnership/referral', title: 'Hedgerow – Referral programme' },
  { path: '/partnership/promocode', title: 'Hedgerow – Promocode programme' },
] as const

/** The levels as the specification has them (section 9): level, transactions, share. */
const LEVELS = [
  ['1', '0', '10%'],
  ['2', '1', '15%'],
  ['3', '5', '20%'],
  ['4', '10', '25%'],
  ['5', '25', '30%'],
]

/** What the API says of a partnership. */
const partnershipOf = ({ token }: Customer) => call('GET', '/partnership', { token })

test('the levels table is there without a script, also at /partnership', ANY_WIDTH, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })
  const page = await context.newPage()
  for (const { path, title } of PAGES) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    const rows = page.getByRole('table', { name: 'Levels of partnership' }).locator('tbody tr')
    await expect(rows).toHaveCount(LEVELS.length)
    for (const [position, level] of LEVELS.entries()) {
      const cells = await rows.nth(position).locator('th, td').allTextContents()
      expect(cells.slice(0, 3)).toEqual(level)
    }
  }
  await context.close()
})

test("'Participate program' leads to the application, by way of the log-in", ANY_WIDTH, async ({ page }) => {
  await page.goto('/partnership/resell')
  await expect(page).toHaveTitle('Hedgerow – White label programme')
  await page.getByRole('link', { name: 'Participate program' }).click()
  await page.waitForURL(/\/login\?redirectUrl=%2Fsubmit$/)
})

test('who follows a link before the script has come keeps the code', ANY_WIDTH, async ({ page }) => {
  // Scripts that do nothing stand for those that are still on their way.
  await page.route(/\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.goto('/?ref=HEDGE23456')
  await page.unroute(/\.js$/)
  await page.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login\?ref=HEDGE23456$/)
})

test(
  'who comes by a referral link, signs up and pays is a crossing and a transaction',
  ANY_WIDTH,
  async ({ page, browser }) => {
    const partner = await aCustomer(page, '/profile?tab=partnership')
    const { referralLink, promocode } = await partnershipOf(partner)
    expect(referralLink).toBe(`${process.env.SHOP_URL}/?ref=${promocode}`)
    /** The eight facts of the tab (spec §2), in their order. */
    const expectFacts = (changed: Record<string, string> = {}) =>
      expect(async () => {
        const terms = await page.getByRole('tabpanel').getByRole('term').allTextContents()
        const values = await page.getByRole('tabpanel').getByRole('definition').allTextContents()
        const shown = Object.fromEntries(terms.map((term, position) => [term, values[position]]))
        expect(shown).toMatchObject({
          'Level of participation': '1',
          'Used promotional codes': '0',
          'Crossings by link': '0',
          'Amount on the partner account': '€0.00£0.00',
          'Percentage per transaction': '10%',
          'Minimum withdrawal amount': '€250 or £250',
          ...changed,
        })
        expect(shown.Promocode).toContain(promocode)
        expect(shown['Referral link']).toContain(referralLink)
        expect(terms).toHaveLength(8)
      }).toPass()
    await expectFacts()

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
    await friend.goto('/calculator')
    expect(await partnershipOf(partner)).toMatchObject({ crossings: 1, transactions: 0, level: 1 })
    await order(friend)
    await payWith(friend, '4000000000000077')
    await friend.waitForURL(/\/payment\/success/)
    // Credited by a round, a moment later.
    await expect(async () => {
      expect(await partnershipOf(partner)).toMatchObject({
        crossings: 1,
        transactions: 1,
        level: 2,
        percentage: 15,
      })
    }).toPass()
    await context.close()
    await page.reload()
    await expectFacts({
      'Level of participation': '2',
      'Crossings by link': '1',
      'Percentage per transaction': '15%',
      'Amount on the partner account': '€0.00 and €3.00 pending£0.00',
    })
    const statement = page.getByRole('table', { name: 'Statement' })
    await expect(statement).toContainText('Earned by your link, 10% at level 1')
    await expect(statement).toContainText('+€3.00')
    await expect(page.getByText('You can request a withdrawal once €250 or £250 is available.')).toBeVisible()
    await expectAccessible(page)
  },
)

/** Orders of 365 days and 13 connections with every feature, one after the other: the level rises on the way. */
const earnBy = async (promocode: string, purchases: number) => {
  const features = { feature1: true, feature2: true, feature3: true, feature4: true }
  const chosen = { days: 365, connections: 13, features, total: 366.11, promocode }
  const buyer = await anAccount()
  for (let made = 0; made < purchases; made++) await aPurchase(buyer, chosen)
}

test('a partner asks for what has become available, and is paid or refused', async ({ page }) => {
  test.slow()
  const partner = await anAccount()
  const { promocode } = await partnershipOf(partner)
  await earnBy(promocode, 6)
  // Each is credited, and each hold ended, in a transaction of its own: all of them, before the sum is read.
  const credited = async () => (await partnershipOf(partner)).transactions
  await expect.poll(credited, { timeout: 20_000 }).toBe(6)
  await endHolds(partner.email)
  const pendingEuros = async () => (await partnershipOf(partner)).balances[0].pending
  await expect.poll(pendingEuros, { timeout: 20_000 }).toBe(0)
  const { available } = (await partnershipOf(partner)).balances[0]
  expect(available).toBeGreaterThan(250)
  const sum = `€${available.toFixed(2)}`
  await enter(page, partner, '/profile?tab=partnership')
  const withdrawals = page.getByRole('table', { name: 'Withdrawals' })
  const statement = page.getByRole('table', { name: 'Statement' })
  const latest = async () =>
    (await call('GET', '/partnership/withdrawals', { token: partner.token }))[0]._id as string
  const ask = async () => {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await page.getByLabel('IBAN').blur()
    await page.getByRole('button', { name: 'Request the withdrawal' }).click()
    await expect(page.getByText(`You have requested ${sum}`)).toBeVisible()
  }

  await test.step('what cannot be is told at its field, and nothing is asked for', async () => {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expectFieldError(page.getByLabel('Amount in euros'), '249.99', 'The minimum withdrawal is €250.00')
    await expectFieldError(page.getByLabel('Account holder'), '', 'Enter the account holder’s name')
    await expectAccessible(page)
    await page.getByLabel('Amount in euros').fill('250')
    await page.getByLabel('Account holder').fill('Ada Lovelace')
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01')
    await page.getByLabel('IBAN').blur()
    await page.getByRole('button', { name: 'Request the withdrawal' }).click()
    const told = 'This is not a valid IBAN. Check it for a typing mistake'
    await expect(page.getByLabel('IBAN')).toHaveAccessibleDescription(new RegExp(told))
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(withdrawals).toHaveCount(0)
  })

  await test.step('all that is available is asked for, and refused', async () => {
    await ask()
    await expect(withdrawals).toContainText('IBAN …3000')
    await expect(statement).toContainText('To be paid to …3000')
    await ops('withdrawal', 'refuse', await latest(), '--reason', 'The name is not the holder’s', '--yes')
    await page.reload()
    await expect(withdrawals).toContainText('The name is not the holder’s')
    await expect(statement).toContainText('Refused: The name is not the holder’s')
  })

  await test.step('it is asked for again, and paid', async () => {
    await ask()
    await ops('withdrawal', 'paid', await latest(), '--yes')
    await page.reload()
    await expect(statement).toContainText('Paid to …3000')
    await expect(withdrawals.getByRole('row').nth(1)).toContainText('Paid')
    const account = page.getByRole('table', { name: 'Partner account' })
    await expect(account.getByRole('row', { name: /^Paid/ })).toContainText(sum)
    await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toHaveCount(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})
