import { aCustomer } from './customers.ts'
import { ANY_WIDTH, clickUntil, expect, expectAccessible, order, payWith, test } from './fixtures.ts'

test('who refuses at the bank is told, and can pay the same order again', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await order(page)
  const checkout = page.url()
  await payWith(page, '5413330000000019')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(/\/payment\/reject/)
  await expect(page.getByText('Payment rejected').first()).toBeVisible()
  await page.goto(checkout)
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
})

test('a declined card leads to the page that says so, without connections', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await order(page)
  await payWith(page, '4111111111111111')
  await page.waitForURL(/\/payment\/reject/)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(/\/profile/)
  await expect(page.getByText('Please choose your price plan to use our service.')).toBeVisible()
  await expectAccessible(page)
})

test('who leaves the bank and pays again can go on with the same question', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await order(page)
  const checkout = page.url()
  await payWith(page, '4314220000000056')
  await page.waitForURL(/\/acs/)
  await page.getByRole('link', { name: 'Abandon' }).click()
  await expect(page.getByText(/We are waiting to hear from your bank/)).toBeVisible()
  await page.goto(checkout)
  await payWith(page, '4000000000000077')
  await page.getByRole('link', { name: 'Continue with that payment' }).click()
  await page.waitForURL(/\/acs/)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/payment\/success/)
})

test(
  'a card that needs no question is paid at once, and the order cannot be paid again',
  ANY_WIDTH,
  async ({ page }) => {
    await aCustomer(page)
    await order(page)
    const checkout = page.url()
    await payWith(page, '4000000000000077')
    await page.waitForURL(/\/payment\/success/)
    await page.goto(checkout)
    await expect(page.getByText(/paid/i).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0)
    await expectAccessible(page)
  },
)

test("another customer's order is not there", ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await order(page)
  const checkout = page.url()
  await page.evaluate(() => localStorage.clear())
  await aCustomer(page)
  await page.goto(checkout)
  await expect(page.getByText('We could not find this order').first()).toBeVisible()
  await expectAccessible(page)
})

test('pressing Buy twice makes one order', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  const created: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/orders')) created.push(request.url())
  })
  const { promise: come, resolve: letCome } = Promise.withResolvers<void>()
  await page.route('**/assets/checkout-page*.js', async (route) => {
    await come
    await route.continue()
  })
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/orders'))
  const buy = page.getByRole('button', { name: 'Buy', exact: true })
  await clickUntil(
    () => buy.dblclick(),
    () => expect.poll(() => created.length, { timeout: 1000 }).toBeGreaterThan(0),
  )
  // Nor while the checkout is slow to come.
  await answered
  await page.waitForTimeout(300)
  await buy.click({ force: true })
  letCome()
  await page.waitForURL(/\/checkout\//)
  expect(created).toHaveLength(1)
  await page.goBack()
  await expect(page).toHaveURL(/\/calculator\?days=30&connections=3/)
})
