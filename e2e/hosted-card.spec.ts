import { aCustomer } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, order, test } from './fixtures.ts'
import startShop from './start-shop.ts'

/** A shop of its own, whose operator leaves the card to the gateway's page. */
let stop: () => Promise<void>
test.beforeAll(async () => {
  process.env.CARD_FORM = 'hosted'
  stop = await startShop()
})
test.afterAll(async () => {
  await stop()
  delete process.env.CARD_FORM
})

test('a card that is typed on the gateway’s page pays an order', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await order(page)
  await expect(
    page.getByText('You enter your card details on our payment company’s secure page'),
  ).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL((url) => url.origin === process.env.SANDBOX_URL && url.pathname === '/payment')
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Card number').fill('4000 0000 0000 0077')
  await page.getByLabel('Name on the card').fill('ADA LOVELACE')
  await page.getByLabel('Expiry month').fill('12')
  await page.getByLabel('Expiry year').fill(String(new Date().getFullYear() + 2))
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/payment\/success/)
})

test(
  'who goes back from the gateway’s page has paid nothing, and finds the order',
  ANY_WIDTH,
  async ({ page }) => {
    await aCustomer(page)
    await order(page)
    const checkout = page.url()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: /^Pay / }).click()
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.waitForURL(checkout)
    await expect(
      page.getByText('You enter your card details on our payment company’s secure page'),
    ).toBeVisible()
  },
)
