import type { Page } from '@playwright/test'
import { anAccount, aPurchase, type Customer, call, inbox } from '../customers.ts'
import { ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

const paymentOf = async ({ token }: Customer): Promise<string> =>
  (await call('GET', '/payment/history', { token }))[0]._id

/** The page of a payment that has just been made. */
const openPaid = async (page: Page) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const id = await paymentOf(customer)
  await page.goto(`/payments/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: '€30.00' })).toBeVisible()
  return customer
}

test('a refund goes out once, and the same sum again has to be meant', async ({ page }) => {
  const customer = await openPaid(page)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const dialog = await ask(page, 'Refund')
  await dialog.getByLabel('How much').selectOption('other')
  await dialog.getByLabel('Reason').selectOption('goodwill')
  await dialog.getByLabel('Another sum, in EUR').fill('a lot')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('Please enter an amount like 4.50.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Another sum, in EUR').fill('4.50')
  await go(dialog, 'Refund', 'Recorded. The shop sends it to the gateway.')
  await expect(page.getByText('refunded', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Credit note CN-/)).toBeVisible()
  await inbox().latest(customer.email, 'refund')

  await ask(page, 'Refund')
  await dialog.getByLabel('How much').selectOption('other')
  await dialog.getByLabel('Reason').selectOption('goodwill')
  await dialog.getByLabel('Another sum, in EUR').fill('4.50')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('€4.50 is already refunded or on its way.')).toBeVisible()
  await dialog.getByLabel('The same sum once more is meant').check()
  await go(dialog, 'Refund', 'Recorded. The shop sends it to the gateway.')
  await expect(page.getByText('Refund of €4.50 requested')).toHaveCount(2)
})
