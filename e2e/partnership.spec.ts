import { aCustomer, type Customer, call } from './customers.ts'
import { confirm, expect, expectAccessible, order, payWith, signUp, test } from './fixtures.ts'

/** What the API says of a partnership. */
const partnershipOf = ({ token }: Customer) => call('GET', '/partnership', { token })

test('who comes by a referral link, signs up and pays is a crossing and a pending transaction', async ({
  page,
  browser,
}) => {
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
      transactions: 0,
      pendingTransactions: 1,
      level: 1,
      percentage: 10,
    })
  }).toPass()
  await context.close()
  await page.reload()
  await expectFacts({
    'Crossings by link': '1',
    'Amount on the partner account': '€0.00 and €3.00 pending£0.00',
  })
  await expect(page.getByRole('tabpanel')).toContainText('1 more is pending')
  const statement = page.getByRole('table', { name: 'Statement' })
  await expect(statement).toContainText('Earned by your link, 10% at level 1')
  await expect(statement).toContainText('+€3.00')
  await expect(page.getByText('You can request a withdrawal once €250 or £250 is available.')).toBeVisible()
  await expectAccessible(page)
})
