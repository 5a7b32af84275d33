import { readQrCode } from '@hedgerow/testing/qr-code'
import type { Page } from '@playwright/test'
import { anAccount, anOrder, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, payWith, test } from './fixtures.ts'

/** At the checkout of an order of 30 in the currency; returns its customer. */
const openCheckout = async (page: Page, currency: 'EUR' | 'GBP' = 'EUR') => {
  const customer = await anAccount()
  const path = `/checkout/${await anOrder(customer, currency)}`
  await enter(page, customer, path)
  return { customer, path }
}

const fillPayer = async (page: Page) => {
  await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace')
  await page.getByRole('checkbox').check()
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** Ends on the page of Blik. */
const payByBlik = async (page: Page) => {
  await page.getByRole('tab', { name: 'Blik' }).click()
  await fillPayer(page)
  await press(page, /^Pay .* PLN$/)
  await page.waitForURL(/\/at-bank/)
}

const expectPaid = async (page: Page) => {
  await page.waitForURL(/\/payment\/success$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment is successful!')
}

const expectRejected = async (page: Page, reason: string) => {
  await page.waitForURL(/\/payment\/reject$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment rejected')
  await expect(page.getByText(`${reason} Nothing was charged.`)).toBeVisible()
}

test('from a bank: one that is chosen here asks for consent, and a refusal there is said here', async ({
  page,
}) => {
  const { path } = await openCheckout(page, 'GBP')
  const payFrom = async (bank: string) => {
    await page.getByRole('tab', { name: 'Open Banking' }).click()
    await fillPayer(page)
    await page.getByLabel('Your bank').selectOption({ label: bank })
    await press(page, /^Pay /)
  }
  await payFrom('Monzo')
  await page.waitForURL(/\/at-bank/)
  await press(page, 'Refuse')
  await expectRejected(page, 'You cancelled the payment.')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(path)
  await payFrom('Barclays')
  await page.getByRole('checkbox', { name: /I agree/ }).check()
  await press(page, 'Continue')
  await page.waitForURL(/\/at-bank/)
  await expect(page.getByText('Barclays').first()).toBeVisible()
  await press(page, 'Approve')
  await expectPaid(page)
})

test(
  'without a list of banks one is chosen on the gateway’s page; who leaves it can go on, or begin again',
  ON_A_PHONE,
  async ({ page }) => {
    await page.route('**/api/v1/payment/banks', (route) =>
      route.fulfill({ status: 503, json: { title: 'Unavailable', status: 503, detail: 'Later' } }),
    )
    const { path } = await openCheckout(page, 'GBP')
    await page.getByRole('tab', { name: 'Open Banking' }).click()
    await expect(page.getByText(/choose your bank on the next page/)).toBeVisible()
    await fillPayer(page)
    await press(page, 'Pay £30.00')
    await page.waitForURL((url) => url.origin === process.env.SANDBOX_URL && url.pathname === '/payment')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose your bank')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await expect(page).toHaveURL(path)
    await payWith(page, '4000000000000077')
    await expect(page.getByText('You have already started to pay for this')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Continue with that payment' }).click()
    await page.waitForURL((url) => url.pathname === '/payment')
    await press(page, 'Starling')
    await page.getByRole('link', { name: 'Leave without an answer' }).click()
    await expect(page).toHaveURL(path)
    await payWith(page, '4000000000000077')
    await press(page, 'Start again')
    await expectPaid(page)
  },
)

test('by Blik: the sum is said before, and a wrong code can be put right', async ({ page }) => {
  await openCheckout(page)
  await page.getByRole('tab', { name: 'Blik' }).click()
  await expect(page.getByText(/^€30\.00 = 127\.50 PLN at 4\.25, rate of \d\d\/\d\d\/\d{4}$/)).toBeVisible()
  await payByBlik(page)
  await expect(page.getByText('127.50', { exact: false }).first()).toBeVisible()
  for (const code of ['000000', '123456']) {
    await page.getByLabel('Six-digit code').fill(code)
    await press(page, 'Pay')
    if (code === '000000') await expect(page.getByText('This code is not right')).toBeVisible()
  }
  await expectPaid(page)
})

test(
  'who goes back by the browser’s button is not sent there again, and can go',
  ON_A_PHONE,
  async ({ page }) => {
    await openCheckout(page)
    await payByBlik(page)
    await page.goBack()
    await expect(page.getByText(/We are waiting to hear from your bank/)).toBeVisible()
    await expect(page).toHaveURL(/\/payment\/result\//)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await press(page, 'Go to your bank’s page again')
    await page.waitForURL(/\/at-bank/)
    await page.getByLabel('Six-digit code').fill('123456')
    await press(page, 'Pay')
    await expectPaid(page)
  },
)

test(
  'a card whose bank asks for the billing address, then on its own page, twice',
  ON_A_PHONE,
  async ({ page }) => {
    const { path } = await openCheckout(page)
    await payWith(page, '4000001111000014')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByLabel('Postcode of the billing address').fill('00000')
    await page.getByLabel('Street and number of the billing address').fill('1 The Hedge')
    await press(page, 'Continue')
    await expectRejected(page, 'The billing address does not match.')
    await page.goto(path)
    await payWith(page, '4000001111000048')
    for (const _ of ['first', 'second']) {
      await page.waitForURL(/\/acs$/)
      const session = await page.locator('input[name="MD"]').first().inputValue()
      await press(page, 'Approve')
      await expect(page.locator(`input[name="MD"][value="${session}"]`)).toHaveCount(0)
    }
    await expectPaid(page)
  },
)

test('a card that is paid by scanning a code', async ({ page, context }, testInfo) => {
  await openCheckout(page)
  await payWith(page, '4000001111000022')
  const code = page.getByRole('img', { name: 'QR code to pay' })
  await expect(code).toBeVisible()
  await expectAccessible(page)
  const picture = testInfo.outputPath('qr.png')
  await code.screenshot({ path: picture })
  const scanned = await readQrCode(picture)
  // A contrast theme leaves it its white border: without one, no camera finds it.
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  const withBorder = code.locator('..')
  await expect(withBorder).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await withBorder.screenshot({ path: picture })
  expect(await readQrCode(picture)).toBe(scanned)
  await expect(page.getByRole('link', { name: /Open it on this device/ })).toHaveAttribute('href', scanned)
  const phone = await context.newPage()
  await phone.goto(scanned)
  await press(phone, 'Approve')
  await expectPaid(page)
})

test("the issuer's look at the browser happens in a hidden frame", async ({ page }) => {
  const issuer = `${process.env.SANDBOX_URL}/elsewhere`
  const iframe = { url: issuer, fields: { threeDSMethodData: 'a b' } }
  let status = { status: 'awaiting 3ds result', metadata: JSON.stringify({ iframe }) }
  await page.route('**/api/v1/payment/status/*', (route) => route.fulfill({ json: status }))
  await page.route(`${issuer}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Issuer</title>' }),
  )
  const asked = page.waitForRequest(`${issuer}**`)
  await page.goto(`/payment/result/${'a'.repeat(32)}`)
  const request = await asked
  expect(request.method()).toBe('POST')
  expect(request.frame()).not.toBe(page.mainFrame())
  expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ''))).toEqual(iframe.fields)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Processing...')
  status = { status: 'Success', metadata: '{}' }
  await expectPaid(page)
})
