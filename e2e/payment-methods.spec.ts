import { readQrCode } from '@hedgerow/testing/qr-code'
import type { Page } from '@playwright/test'
import { anAccount, anOrder, enter } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, payWith, test } from './fixtures.ts'

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

const payFrom = async (page: Page, bank: string) => {
  await page.getByRole('tab', { name: 'Open Banking' }).click()
  await fillPayer(page)
  await page.getByLabel('Your bank').selectOption({ label: bank })
  await press(page, /^Pay /)
}

/** Ends on the page of Blik. */
const payByBlik = async (page: Page) => {
  await page.getByRole('tab', { name: 'Blik' }).click()
  await fillPayer(page)
  await press(page, /^Pay .* PLN$/)
  await page.waitForURL(/\/at-bank/)
}

const consent = async (page: Page) => {
  await page.getByRole('checkbox', { name: /I agree/ }).check()
  await press(page, 'Continue')
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

/** The payment whose page of a bank is open. */
const paymentAtBank = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

const answerAtBank = (paymentId: string, answer: 'approve' | 'refuse') =>
  fetch(`${process.env.SANDBOX_URL}/gate/payments/${paymentId}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answer, code: '123456' }),
  })

test.describe('from a bank', () => {
  for (const [bank, currency, asks] of [
    ['Barclays', 'GBP', 'consent'],
    ['Monzo', 'GBP', 'nothing'],
    ['Starling', 'GBP', 'consent'],
    ['Nationwide', 'GBP', 'consent'],
    ['N26', 'EUR', 'nothing'],
  ] as const) {
    test(`${bank} in ${currency}`, ANY_WIDTH, async ({ page }) => {
      await openCheckout(page, currency)
      await payFrom(page, bank)
      if (asks === 'consent') await consent(page)
      await page.waitForURL(/\/at-bank/)
      await expect(page.getByText(bank).first()).toBeVisible()
      await press(page, 'Approve')
      await expectPaid(page)
    })
  }

  test('who refuses there is told so, and can try again another way', ANY_WIDTH, async ({ page }) => {
    const { path } = await openCheckout(page, 'GBP')
    await payFrom(page, 'Monzo')
    await page.waitForURL(/\/at-bank/)
    await press(page, 'Refuse')
    await expectRejected(page, 'You cancelled the payment.')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL(path)
    await payWith(page, '4000000000000077')
    await expectPaid(page)
  })

  test('a bank has to be chosen, and only those of the currency are offered', ANY_WIDTH, async ({ page }) => {
    await openCheckout(page)
    await page.getByRole('tab', { name: 'Open Banking' }).click()
    const banks = page.getByLabel('Your bank')
    await expect(banks.locator('optgroup')).toHaveCount(1)
    await expect(banks.locator('optgroup')).toHaveAttribute('label', 'Germany')
    await fillPayer(page)
    await press(page, 'Pay €30.00')
    await expect(page.getByText('Choose a bank from the list')).toBeVisible()
    await expect(banks).toBeFocused()
    await expect(banks).toHaveAccessibleDescription('Choose a bank from the list')
    await expectAccessible(page)
  })

  test.describe('without a list of them', () => {
    /** Ends on the gateway's own page. */
    const payWithoutList = async (page: Page) => {
      await page.route('**/api/v1/payment/banks', (route) =>
        route.fulfill({ status: 503, json: { title: 'Unavailable', status: 503, detail: 'Later' } }),
      )
      const { path } = await openCheckout(page, 'GBP')
      await page.getByRole('tab', { name: 'Open Banking' }).click()
      await expect(page.getByText(/choose your bank on the next page/)).toBeVisible()
      await fillPayer(page)
      await press(page, 'Pay £30.00')
      await page.waitForURL((url) => url.origin === process.env.SANDBOX_URL && url.pathname === '/payment')
      return { path }
    }

    test('the bank is chosen on the gateway’s page', async ({ page }) => {
      await payWithoutList(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose your bank')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await press(page, 'Barclays')
      await page.waitForURL(/\/at-bank/)
      await press(page, 'Approve')
      await expectPaid(page)
    })

    test('who refuses at the bank is told so, and can try again', ANY_WIDTH, async ({ page }) => {
      const { path } = await payWithoutList(page)
      await press(page, 'Monzo')
      await press(page, 'Refuse')
      await expectRejected(page, 'You cancelled the payment.')
      await page.getByRole('link', { name: 'Try again' }).click()
      await expect(page).toHaveURL(path)
    })

    test('who leaves finds the payment, and can pay another way', ANY_WIDTH, async ({ page }) => {
      const { path } = await payWithoutList(page)
      await page.getByRole('link', { name: 'Back to the shop' }).click()
      await expect(page).toHaveURL(path)
      await payWith(page, '4000000000000077')
      await expect(page.getByText('You have already started to pay for this')).toBeVisible()
      await page.getByRole('link', { name: 'Continue with that payment' }).click()
      await page.waitForURL((url) => url.pathname === '/payment')
      await press(page, 'Starling')
      await page.getByRole('link', { name: 'Leave without an answer' }).click()
      await expect(page).toHaveURL(path)
      await payWith(page, '4000000000000077')
      await press(page, 'Start again')
      await expectPaid(page)
    })
  })

  test('a currency that no bank takes is said before paying', ANY_WIDTH, async ({ page }) => {
    await page.route('**/api/v1/payment/methods', (route) =>
      route.fulfill({
        json: { card: { hosted: false }, openBanking: { currencies: ['GBP'] }, blik: { rates: [] } },
      }),
    )
    await openCheckout(page)
    await page.getByRole('tab', { name: 'Open Banking' }).click()
    await expect(page.getByText('You cannot pay from a bank account in EUR here')).toBeVisible()
    await page.getByRole('tab', { name: 'Blik' }).click()
    await expect(page.getByText('You cannot pay by Blik in EUR here')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0)
    await expectAccessible(page)
  })
})

test.describe('by Blik', () => {
  test(
    'the sum, the rate and its date are said before; a wrong code can be put right',
    ANY_WIDTH,
    async ({ page }) => {
      const { customer } = await openCheckout(page)
      await page.getByRole('tab', { name: 'Blik' }).click()
      await expect(
        page.getByText(/^€30\.00 = 127\.50 PLN at 4\.25, rate of \d\d\/\d\d\/\d{4}$/),
      ).toBeVisible()
      await payByBlik(page)
      await expect(page.getByText('127.50', { exact: false }).first()).toBeVisible()
      for (const code of ['000000', '123456']) {
        await page.getByLabel('Six-digit code').fill(code)
        await press(page, 'Pay')
        if (code === '000000') await expect(page.getByText('This code is not right')).toBeVisible()
      }
      await expectPaid(page)
      await enter(page, customer, '/profile?tab=history')
      const payments = page.getByRole('table', { name: 'Payments' })
      await expect(payments).toContainText('€30.00')
      await expect(payments).toContainText('127.50 PLN')
    },
  )

  test('a payment that waits in the app is confirmed there', ANY_WIDTH, async ({ page }) => {
    await openCheckout(page)
    await payByBlik(page)
    await page.getByLabel('Six-digit code').fill('111111')
    await press(page, 'Pay')
    const paymentId = paymentAtBank(page)
    await expect(page.getByRole('heading', { name: 'Confirm in your bank’s app' })).toBeVisible()
    // Whoever has the app on another device looks at the shop meanwhile.
    await page.goto(`${process.env.SHOP_URL}/payment/result/${paymentId}`)
    await expect(page.getByText(/Open your bank’s app and approve the payment there/)).toBeVisible()
    await expectAccessible(page)
    await answerAtBank(paymentId, 'approve')
    await expectPaid(page)
  })
})

test.describe('by a card', () => {
  test('whose bank asks for the billing address', async ({ page }) => {
    const { path } = await openCheckout(page)
    const fillAddress = async (postcode: string) => {
      await page.getByLabel('Postcode of the billing address').fill(postcode)
      await page.getByLabel('Street and number of the billing address').fill('1 The Hedge')
      await press(page, 'Continue')
    }
    await payWith(page, '4000001111000014')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await fillAddress('00000')
    await expectRejected(page, 'The billing address does not match.')
    await page.goto(path)
    await payWith(page, '4000001111000014')
    await fillAddress('SW1A 1AA')
    await expectPaid(page)
  })

  test('that is paid by scanning a code', async ({ page, context }, testInfo) => {
    await openCheckout(page)
    await payWith(page, '4000001111000022')
    const code = page.getByRole('img', { name: 'QR code to pay' })
    await expect(code).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const picture = testInfo.outputPath('qr.png')
    await code.screenshot({ path: picture })
    const scanned = await readQrCode(picture)
    await expect(page.getByRole('link', { name: /Open it on this device/ })).toHaveAttribute('href', scanned)
    const phone = await context.newPage()
    await phone.goto(scanned)
    await press(phone, 'Approve')
    await expectPaid(page)
  })

  test('that is confirmed with a code', async ({ page }) => {
    const { path } = await openCheckout(page)
    const confirmWith = async (code: string) => {
      await press(page, 'Send me the code')
      await page.getByLabel('Code').fill(code)
      await press(page, 'Confirm')
    }
    await payWith(page, '4000001111000030')
    await expect(page.getByRole('button', { name: 'Send me the code' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await confirmWith('0000')
    await page.waitForURL(/\/payment\/reject$/)
    await page.goto(path)
    await payWith(page, '4000001111000030')
    await confirmWith('1234')
    await expectPaid(page)
  })

  test('whose bank asks twice', ANY_WIDTH, async ({ page }) => {
    await openCheckout(page)
    await payWith(page, '4000001111000048')
    for (const _ of ['first', 'second']) {
      await page.waitForURL(/\/acs$/)
      const session = await page.locator('input[name="MD"]').first().inputValue()
      await press(page, 'Approve')
      await expect(page.locator(`input[name="MD"][value="${session}"]`)).toHaveCount(0)
    }
    await expectPaid(page)
  })

  test('that the provider asks about on a page of its own', ANY_WIDTH, async ({ page }) => {
    await openCheckout(page)
    await payWith(page, '4000001111000055')
    await page.waitForURL(/\/at-bank/)
    await press(page, 'Approve')
    await expectPaid(page)
  })

  test('that is declined says why, where that may be told', ANY_WIDTH, async ({ page }) => {
    const { path } = await openCheckout(page)
    await payWith(page, '4000000000000135')
    await expectRejected(page, 'There is not enough money in the account.')
    await page.reload()
    await expect(page.getByText('There is not enough money in the account.')).toBeVisible()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL(path)
    await payWith(page, '4111111111111111')
    await page.waitForURL(/\/payment\/reject$/)
    await expect(page.getByText(/did not accept the payment/)).toBeVisible()
  })
})

test.describe('who comes back from the bank', () => {
  test(
    'without an answer can go on, or pay another way; the second payment that comes is refunded',
    ANY_WIDTH,
    async ({ page }) => {
      const { customer, path } = await openCheckout(page)
      await payByBlik(page)
      const left = paymentAtBank(page)
      await page.getByRole('link', { name: 'Leave without an answer' }).click()
      await expect(page).toHaveURL(path)

      await test.step('go on', async () => {
        await payWith(page, '4000000000000077')
        await expect(page.getByText('You have already started to pay for this')).toBeVisible()
        await expectAccessible(page)
        await page.getByRole('link', { name: 'Continue with that payment' }).click()
        await page.waitForURL(/\/at-bank/)
        expect(paymentAtBank(page)).toBe(left)
      })

      await test.step('start again', async () => {
        await page.getByRole('link', { name: 'Leave without an answer' }).click()
        await payWith(page, '4000000000000077')
        await press(page, 'Start again')
        await expectPaid(page)
      })

      await test.step('the one that was left is paid all the same', async () => {
        expect((await answerAtBank(left, 'approve')).ok).toBe(true)
        await expect(async () => {
          await enter(page, customer, '/profile?tab=history')
          const payments = page.getByRole('table', { name: 'Payments' })
          await expect(payments).toContainText('Paid twice', { timeout: 2000 })
          await expect(payments).toContainText(/Refund(ed| on its way)/, { timeout: 2000 })
        }).toPass()
      })
    },
  )

  test('by the back button is not sent there again, and can go', async ({ page }) => {
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
  })

  test('before the bank has said anything waits here', ANY_WIDTH, async ({ page }) => {
    await openCheckout(page)
    await payByBlik(page)
    const paymentId = paymentAtBank(page)
    await page.goto(`${process.env.SHOP_URL}/payment/result/${paymentId}?returned`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Processing...')
    await expect(page.getByText(/We are waiting to hear from your bank/)).toBeVisible()
    await page.reload()
    await expect(page.getByText(/We are waiting to hear from your bank/)).toBeVisible()
    await answerAtBank(paymentId, 'approve')
    await expectPaid(page)
  })
})

test("the issuer's look at the browser happens in a frame that nobody sees", ANY_WIDTH, async ({ page }) => {
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
