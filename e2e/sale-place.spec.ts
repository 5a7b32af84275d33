import type { Page } from '@playwright/test'
import { anAccount, anOrder, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE_ONLY, payWith, test } from './fixtures.ts'
import { startShop } from './start-shop.ts'

/** A shop that asks for the country, beside the one of all other tests. */
const ASKS = { VAT_SCHEME: 'oss' }

let stop: () => Promise<void> = async () => undefined

test.beforeAll(async () => {
  stop = await startShop(ASKS)
})

test.afterAll(() => stop())

const country = (page: Page) => page.getByLabel('Country')
const vatNumber = (page: Page) => page.getByLabel('VAT number')

test(
  'an order is sold to the country that the customer chooses, with its VAT',
  PHONE_ONLY,
  async ({ page }) => {
    const customer = await anAccount()
    await enter(page, customer, `/checkout/${await anOrder(customer)}`)

    await test.step('the country is guessed from the browser’s', async () => {
      await expect(country(page)).toHaveValue('GB')
      await expect(page.getByText('Includes VAT of the United Kingdom, 20%').first()).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('another has another rate, and the price stays', async () => {
      await country(page).selectOption('DE')
      await expect(page.getByText('Includes VAT of Germany, 19%').first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Pay €30.00' })).toBeVisible()
    })

    await test.step('a VAT number that is none, or that nobody has, is refused beside its field', async () => {
      await page.getByText('Buying for a business?').click()
      for (const [number, message] of [
        ['DE12', 'This is not a VAT number of Germany'],
        ['DE123456200', 'does not list this number as valid'],
      ] as const) {
        await vatNumber(page).fill(number)
        await payWith(page, '4000000000000077')
        await expect(vatNumber(page)).toHaveAccessibleDescription(new RegExp(message))
        await expect(vatNumber(page)).toBeFocused()
      }
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('with a number of its own a business pays no VAT', async () => {
      await vatNumber(page).fill('DE123456100')
      await expect(page.getByText('No VAT: reverse charge').first()).toBeVisible()
      await payWith(page, '4000000000000077')
      await page.waitForURL(/\/payment\/success$/)
    })
  },
)
