import type { Page } from '@playwright/test'
import { aCustomer, anAccount, enter } from './customers.ts'
import {
  ANY_WIDTH,
  clickUntil,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  payWith,
  refuse,
  test,
} from './fixtures.ts'

const expectGoodPage = async (page: Page) => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/** Goes from the home page to the checkout of a plan. */
const choose = async (page: Page, name: RegExp) => {
  await page.goto('/')
  await clickUntil(
    () => page.getByRole('link', { name }).click(),
    () => page.waitForURL(/\/payment\/checkout\/|\/signup/, { timeout: 3000 }),
  )
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay / })

test(
  'a visitor chooses a plan on the home page, logs in, and comes back to pay for it',
  ANY_WIDTH,
  async ({ page }) => {
    const { email } = await anAccount()

    await test.step('choosing leads a newcomer to the sign-up; beside it is the log-in, and from there the checkout', async () => {
      await choose(page, /31 days.*Blackbird/)
      await page.waitForURL(/\/signup\?redirectUrl=%2Fpayment%2Fcheckout%2F/)
      await page.getByRole('tab', { name: 'Sign In' }).click()
      await page.waitForURL(/\/login\?redirectUrl=%2Fpayment%2Fcheckout%2F/)
      await logIn(page, email)
      await page.waitForURL(/\/payment\/checkout\//)
      await expect(page).toHaveTitle(/Checkout/)
      await expect(page.getByRole('heading', { name: 'Your plan' })).toBeVisible()
      const main = page.getByRole('main')
      for (const text of ['Blackbird', '31 days', '£25.00']) await expect(main).toContainText(text)
      await expect(page.getByRole('button', { name: 'Pay £25.00' })).toBeDisabled()
    })

    await test.step('the bank asks, and the payment succeeds', async () => {
      await payWith(page, '4314220000000056')
      await page.waitForURL(/\/acs/)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(/\/payment\/success/)
      await page.getByRole('link', { name: 'Continue' }).click()
    })

    await test.step('the profile shows the connections of the plan', async () => {
      await page.waitForURL(/\/profile/)
      await expect(page.getByText(/^Expires:/)).toHaveCount(6)
    })
  },
)

test('Ethernity makes connections that never expire', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await choose(page, /Ethernity/)
  await expect(page.getByText('never expires').first()).toBeVisible()
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(/\/profile/)
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toHaveCount(6)
  await expect(page.getByText(/never expires/i)).toHaveCount(6)
  await expect(page.getByRole('button', { name: /Get by Email/ }).first()).toBeEnabled()
  await expectGoodPage(page)
})

test(
  'a declined card leads to the page that says so, and another card buys the plan',
  ANY_WIDTH,
  async ({ page }) => {
    await aCustomer(page)
    await choose(page, /1 week.*Wren/)
    const checkout = page.url()
    await payWith(page, '4111111111111111')
    await page.waitForURL(/\/payment\/reject/)
    await page.goto(checkout)
    await payWith(page, '4000000000000077')
    await page.waitForURL(/\/payment\/success/)
  },
)

test('the button that pays is disabled until everything is right', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await choose(page, /1 year.*Rook/)
  await expect(pay(page)).toHaveText('Pay £210.00')
  const control = (name: string) => page.locator(`[name="${name}"]`)
  await control('pan').fill('4000000000000077')
  await expect(control('pan')).toHaveValue('4000 0000 0000 0077')
  await control('card_holder').fill('ADA & CO')
  await control('month').selectOption('12')
  await control('year').selectOption({ index: 4 })
  await control('cvv').fill('12')
  await control('cvv').blur()
  await expect(page.getByText('The security code has 3 or 4 digits')).toBeVisible()
  await control('acceptTerms').check()
  await expect(
    page.getByText('Use letters, digits, spaces, hyphens, full stops and apostrophes only'),
  ).toBeVisible()
  await expect(pay(page)).toBeDisabled()
  await expectAccessible(page)
  await control('card_holder').fill("Ada O'Neil-Smith Jr.")
  await control('cvv').fill('123')
  await expect(pay(page)).toBeEnabled()
  await control('acceptTerms').uncheck()
  await expect(pay(page)).toBeDisabled()
})

test('pressing the button twice buys once', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await choose(page, /1 week.*Rook/)
  const sales: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/payment/gate/sale')) sales.push(request.url())
  })
  // The second press comes before the page could have drawn anything of the first.
  await page.evaluate(`document.addEventListener('click', ({ target }) => {
    const button = target.closest('button[type=submit]')
    if (button) queueMicrotask(() => button.form.requestSubmit())
  })`)
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/success/)
  expect(sales).toHaveLength(1)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByText(/^Expires:/)).toHaveCount(12)
})

test(
  'an answer that is lost is no second purchase: pressed again, after a reload too, it leads to the first',
  ANY_WIDTH,
  async ({ page }) => {
    const customer = await aCustomer(page)
    await choose(page, /1 week.*Wren/)
    const checkout = page.url()
    // The sale arrives; what the shop answers does not.
    await page.route('**/payment/gate/sale', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 503, contentType: 'text/html', body: 'Service unavailable' })
    })
    await payWith(page, '4000000000000077')
    await expect(page.getByText('Press Pay again. You will be charged only once.')).toBeVisible()
    await expect(page.locator('[name="pan"]')).toHaveValue('4000 0000 0000 0077')
    await expectGoodPage(page)
    await pay(page).click()
    await expect(page.getByText('Press Pay again. You will be charged only once.')).toBeVisible()
    await page.unroute('**/payment/gate/sale')
    await page.reload()
    await payWith(page, '4000000000000077')
    await page.waitForURL(/\/payment\/success/)

    await test.step('bought on purpose once more, it is another purchase', async () => {
      await page.goto(checkout)
      await payWith(page, '4000000000000077')
      await page.waitForURL(/\/payment\/success/)
    })

    await enter(page, customer, '/profile?tab=history')
    const payments = page.getByRole('table', { name: 'Payments' })
    await expect(payments.getByText('£6.50')).toHaveCount(2)
  },
)

test('who comes back from the bank can take another card', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page)
  await choose(page, /1 week.*Wren/)
  const checkout = page.url()
  await payWith(page, '4314220000000056')
  await page.waitForURL(/\/acs/)
  await page.goto(checkout)
  await payWith(page, '4000000000000077')
  await expect(page.getByText('You have already started to pay for this')).toBeVisible()
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.waitForURL(/\/payment\/success/)
})

test(
  'plans that did not load are asked for again; an unknown one leads back to the prices',
  ANY_WIDTH,
  async ({ page }) => {
    await refuse(page, '**/api/v1/shop/items', 429, 'Please wait a little.')
    await aCustomer(page, '/payment/checkout/00000000-0000-4000-8000-000000000000')
    await expect(page.getByText('The plan did not load')).toBeVisible()
    await page.unroute('**/api/v1/shop/items')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('We could not find this plan')).toBeVisible()
    await expect(page.getByRole('link', { name: 'See the prices' })).toHaveAttribute('href', '/products')
    await expectGoodPage(page)
  },
)

test('the plans with their prices and links are there without a script', ANY_WIDTH, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.SHOP_URL ?? '' })
  const page = await context.newPage()
  await page.goto('/')
  const links = page.locator('#plans a[href^="/payment/checkout/"]')
  await expect(links).toHaveCount(10)
  for (const text of ['For one', 'For a household', 'For an office'])
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
  await expect(links.first()).toContainText('£6.50')
  await context.close()
})
