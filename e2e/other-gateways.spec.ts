import { anAccount, anOrder, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'
import { ops } from './operator.ts'
import { startShop } from './start-shop.ts'

let stop: () => Promise<void> = async () => undefined

test.beforeAll(async () => {
  // A second shop starts slowly on a busy machine.
  test.slow()
  stop = await startShop()
  for (const [name, gateway] of [
    ['card-gateway', 'stripe'],
    ['crypto-gateway', 'btcpay'],
  ])
    await ops('setting', 'set', String(name), '--value', String(gateway), '--yes')
})

test.afterAll(() => stop())

test('a card is typed on Stripe’s page, where it may be declined first', ON_A_PHONE, async ({ page }) => {
  const customer = await anAccount()
  const path = `/checkout/${await anOrder(customer)}`
  await enter(page, customer, path)
  await expect(page.getByLabel('Card number')).toHaveCount(0)
  const pay = async () => {
    await page.getByRole('checkbox', { name: /I accept/ }).check()
    await page.getByRole('button', { name: 'Pay €30.00' }).click()
    await page.waitForURL(/\/c\/pay\/cs_test_/)
  }
  await pay()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(`**${path}`)
  await page.goBack()
  for (const number of ['4000000000000002', '4242424242424242']) {
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel('Expiry').fill('12 / 35')
    await page.getByLabel('Security code').fill('123')
    await page.getByLabel('Name on the card').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Pay €30.00' }).click()
    if (number.startsWith('4000')) await expect(page.getByRole('alert')).toContainText('declined')
  }
  await page.waitForURL(/\/payment\/success$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment is successful!')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('bitcoin is promised until a block confirms it', ON_A_PHONE, async ({ page }) => {
  const customer = await anAccount()
  await enter(page, customer, `/checkout/${await anOrder(customer)}`)
  await page.getByRole('tab', { name: 'Bitcoin and Lightning' }).click()
  await page.getByRole('checkbox', { name: /I accept/ }).check()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/i\//)
  const invoice = page.url()
  await page.getByRole('button', { name: 'Pay in full' }).click()
  await page.waitForURL(/\/payment\/result\//)
  await expect(page.getByText(/The Bitcoin network has to confirm it/)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.request.post(invoice, { form: { act: 'confirm' }, maxRedirects: 0 })
  await page.waitForURL(/\/payment\/success$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment is successful!')
})
