import type { Page } from '@playwright/test'
import { aCustomer } from './customers.ts'
import {
  ANY_WIDTH,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  order,
  payWith,
  test,
} from './fixtures.ts'

const control = (page: Page, name: string) => page.locator(`[name="${name}"]`)
const payButton = (page: Page) => page.getByRole('button', { name: /^Pay (€30\.00|127\.50 PLN)$/ })

const openCheckout = async (page: Page) => {
  await aCustomer(page)
  await order(page)
  await expect(payButton(page)).toBeDisabled()
}

const enterCard = async (page: Page) => {
  await control(page, 'pan').fill('4000000000000077')
  await control(page, 'card_holder').fill("Ada O'Lovelace-King Jr. 2")
  await control(page, 'month').selectOption('12')
  await control(page, 'year').selectOption({ index: 4 })
  await control(page, 'cvv').fill('123')
  await control(page, 'acceptTerms').check()
}

/** Puts a value into a field, leaves it, and finds what is said of it; then puts the right one back. */
const expectRefused = async (page: Page, name: string, wrong: string, message: string, right: string) => {
  await control(page, name).fill(wrong)
  await control(page, name).blur()
  await expect(page.getByText(message)).toBeVisible()
  await expect(control(page, name)).toHaveAccessibleDescription(new RegExp(message))
  await expect(payButton(page)).toBeDisabled()
  await control(page, name).fill(right)
  await expect(page.getByText(message)).toHaveCount(0)
  await expect(payButton(page)).toBeEnabled()
}

test('the card form takes what the rules allow, and says what they do not', ANY_WIDTH, async ({ page }) => {
  await openCheckout(page)

  await test.step('the expiry is judged as soon as month and year are chosen', async () => {
    // A card is good to the end of its month: in January the first month of this year is not over.
    const isOver = new Date().getUTCMonth() > 0
    await control(page, 'year').selectOption({ index: 1 })
    await control(page, 'month').selectOption('01')
    await expect(page.getByText('This card has expired')).toHaveCount(isOver ? 1 : 0)
    await control(page, 'month').selectOption('12')
    await expect(page.getByText('This card has expired')).toHaveCount(0)
  })

  await enterCard(page)
  await expect(payButton(page)).toBeEnabled()

  await test.step('the number stands in groups of four, with 16 to 32 digits', async () => {
    await expect(control(page, 'pan')).toHaveValue('4000 0000 0000 0077')
    await control(page, 'pan').fill('')
    await control(page, 'pan').pressSequentially('4111x11111111-1111')
    await expect(control(page, 'pan')).toHaveValue('4111 1111 1111 1111')
    await expectRefused(
      page,
      'pan',
      '400000000000007',
      'The card number has 16 to 32 digits',
      '4000000000000077',
    )
    await expectRefused(page, 'pan', '', 'Enter the card number', '4'.repeat(32))
    await expect(control(page, 'pan')).toHaveValue(Array(8).fill('4444').join(' '))
    await control(page, 'pan').press('End')
    await control(page, 'pan').press('5')
    await expect(control(page, 'pan')).toHaveValue(Array(8).fill('4444').join(' '))
    await control(page, 'pan').fill('4000000000000077')
  })

  await test.step('the holder has letters, digits, spaces, hyphens, full stops and apostrophes', async () => {
    const message = 'Use letters, digits, spaces, hyphens, full stops and apostrophes only'
    for (const wrong of ['Ada & Co', 'Ada_King', 'ada@example.org'])
      await expectRefused(page, 'card_holder', wrong, message, 'Zoë Łukasz-Ó Dálaigh')
    await expectRefused(page, 'card_holder', '', 'Enter the name on the card', 'ADA LOVELACE')
  })

  await test.step('months are 1 to 12, years this one and the next nine with two digits', async () => {
    const values = (name: string) => control(page, name).locator('option').allTextContents()
    const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
    expect((await values('month')).slice(1)).toEqual(Array.from({ length: 12 }, (_, i) => twoDigits(i + 1)))
    const year = new Date().getUTCFullYear()
    expect((await values('year')).slice(1)).toEqual(Array.from({ length: 10 }, (_, i) => twoDigits(year + i)))
    for (const name of ['month', 'year']) {
      await control(page, name).focus()
      await control(page, name).selectOption('')
      await control(page, name).blur()
      await expect(page.getByText(`Choose a ${name}`)).toBeVisible()
      await expect(payButton(page)).toBeDisabled()
      await control(page, name).selectOption({ index: 10 })
    }
    await expect(payButton(page)).toBeEnabled()
  })

  await test.step('the security code has three digits, or four', async () => {
    await expect(control(page, 'cvv')).toHaveAttribute('placeholder', '000')
    await expectRefused(page, 'cvv', '12', 'The security code has 3 or 4 digits', '1234')
    await expectRefused(page, 'cvv', '', 'Enter the security code', '123')
    await control(page, 'cvv').fill('')
    await control(page, 'cvv').pressSequentially('12a345')
    await expect(control(page, 'cvv')).toHaveValue('1234')
  })

  await test.step('the terms have to be accepted', async () => {
    await control(page, 'acceptTerms').uncheck()
    await expect(page.getByText('You have to accept terms and policy')).toBeVisible()
    await expect(payButton(page)).toBeDisabled()
    await expectAccessible(page)
    await control(page, 'acceptTerms').check()
    await expect(payButton(page)).toBeEnabled()
  })
})

test(
  'Open Banking and Blik ask who pays, keep what was typed, and say so where they are not open',
  ANY_WIDTH,
  async ({ page }) => {
    const { email } = await aCustomer(page)
    await order(page)
    await enterCard(page)

    const closed = 'This way to pay is not available yet. Nothing was charged. Pay by card.'
    await page.route(/\/api\/v1\/orders\/(ob|blik)\//, (route) =>
      route.fulfill({
        status: 409,
        json: { title: 'Conflict', status: 409, detail: closed, code: 'method-not-open' },
      }),
    )
    for (const [tab, prefilled] of [
      ['Open Banking', email],
      ['Blik', ''],
    ] as const) {
      await test.step(tab, async () => {
        await page.getByRole('tab', { name: tab }).click()
        if (tab === 'Open Banking') await control(page, 'bankId').selectOption({ index: 1 })
        await expect(control(page, 'email')).toHaveValue(prefilled)
        await expect(payButton(page)).toBeDisabled()
        await control(page, 'firstName').fill('Ada')
        await control(page, 'lastName').fill('Lovelace')
        await control(page, 'acceptTerms').check()
        await expect(payButton(page)).toBeEnabled()
        await expectRefused(page, 'firstName', ' ', 'Enter your first name', 'A')
        await expectRefused(page, 'lastName', '', 'Enter your last name', 'Lovelace')
        await expectRefused(page, 'email', 'ada@', 'Enter correct email address', '')
        await control(page, 'email').fill('ada@example.org')
        await control(page, 'acceptTerms').uncheck()
        await expect(page.getByText('You have to accept terms and policy')).toBeVisible()
        await expect(payButton(page)).toBeDisabled()
        await control(page, 'acceptTerms').check()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await payButton(page).click()
        await expect(page.getByText(closed)).toBeVisible()
        await expect(control(page, 'firstName')).toHaveValue('A')
        await expect(control(page, 'email')).toHaveValue('ada@example.org')
        await expectAccessible(page)
      })
    }

    await test.step('by keyboard back to the card, which is as it was left', async () => {
      await page.getByRole('tab', { name: 'Blik' }).focus()
      await page.keyboard.press('ArrowLeft')
      await expect(control(page, 'lastName')).toHaveValue('Lovelace')
      await page.keyboard.press('Home')
      await expect(page.getByRole('tab', { name: 'Card' })).toBeFocused()
      await expect(control(page, 'pan')).toHaveValue('4000 0000 0000 0077')
      await expect(control(page, 'year')).not.toHaveValue('')
      await payButton(page).click()
      await page.waitForURL(/\/payment\/success/)
    })
  },
)

test('after a decline the form says why and that nothing was charged, and keeps the name', async ({
  page,
}) => {
  await openCheckout(page)
  await control(page, 'card_holder').fill('Ada O’Brien')
  await control(page, 'pan').fill('4111111111111112')
  await control(page, 'pan').blur()
  await expect(page.getByText('Visa', { exact: true })).toBeVisible()
  await expect(control(page, 'pan')).toHaveAccessibleDescription('Check the number: it looks mistyped.')
  await payWith(page, '4111111111111111')
  await page.waitForURL(/\/payment\/reject/)
  await expect(page.getByText(/Nothing was charged\./)).toBeVisible()
  await page.getByRole('link', { name: 'Try again' }).click()
  const notice = page.getByText('Nothing was charged. You can try again, or pay another way.')
  await expect(notice).toBeVisible()
  await expect(control(page, 'card_holder')).toHaveValue('ADA LOVELACE')
  await expect(control(page, 'pan')).toHaveValue('')
  await expect(control(page, 'cvv')).toHaveValue('')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  // Who comes back by our mail is told the same.
  await page.evaluate('history.replaceState(null, "")')
  await page.reload()
  await expect(notice).toBeVisible()
})

test('a payment that is refused for good leads to /payment/reject', ANY_WIDTH, async ({ page }) => {
  await openCheckout(page)
  await page.route('**/api/v1/orders/*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { title: 'Bad Request', status: 400, detail: 'No' } })
      : route.fallback(),
  )
  await payWith(page, '4000000000000077')
  await page.waitForURL(/\/payment\/reject/)
  await expect(page.getByText('Payment rejected').first()).toBeVisible()
})
