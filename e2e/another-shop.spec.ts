import { anAccount, anOrder, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'
import { startShop } from './start-shop.ts'

/** It asks for the country, and leaves the card to the gateway's page. */
const SETTINGS = { VAT_SCHEME: 'oss', CARD_FORM: 'hosted' }

let stop: () => Promise<void> = async () => undefined

test.beforeAll(async () => {
  // A second shop starts slowly on a busy machine.
  test.slow()
  stop = await startShop(SETTINGS)
})

test.afterAll(() => stop())

test(
  'an order is sold to the country that is chosen, and its card typed on the gateway’s page',
  ON_A_PHONE,
  async ({ page }) => {
    const customer = await anAccount()
    const path = `/checkout/${await anOrder(customer)}`
    await enter(page, customer, path)
    const pay = async () => {
      await page.getByRole('checkbox', { name: /I accept/ }).check()
      await page.getByRole('button', { name: 'Pay €30.00' }).click()
    }

    await test.step('the country is guessed from the browser’s; another has another rate, at the same price', async () => {
      const country = page.getByLabel('Country')
      await expect(country).toHaveValue('GB')
      await expect(page.getByText('Includes VAT of the United Kingdom, 20%').first()).toBeVisible()
      await country.selectOption('DE')
      await expect(page.getByText('Includes VAT of Germany, 19%').first()).toBeVisible()
      await expect(page.getByLabel('Card number')).toHaveCount(0)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    })

    await test.step('a VAT number that nobody has is refused beside its field', async () => {
      await page.getByText('Buying for a business?').click()
      const number = page.getByLabel('VAT number')
      await number.fill('DE123456200')
      await page.getByLabel('Name of the business').fill('Ada & Söhne GmbH')
      await page.getByLabel('Address of the business').fill('Hauptstr. 7\n10115 Berlin')
      await pay()
      await expect(number).toHaveAccessibleDescription(/does not list this number as valid/)
      await expect(number).toBeFocused()
      await number.fill('DE123456100')
      await expect(page.getByText('No VAT: reverse charge').first()).toBeVisible()
    })

    await test.step('who goes back from the gateway’s page finds the order', async () => {
      await pay()
      await page.waitForURL((url) => url.origin === process.env.SANDBOX_URL && url.pathname === '/payment')
      await page.getByRole('link', { name: 'Back to the shop' }).click()
      await page.waitForURL(`**${path}`)
    })

    await test.step('and pays there', async () => {
      await pay()
      await page.getByRole('link', { name: 'Continue with that payment' }).click()
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
  },
)
