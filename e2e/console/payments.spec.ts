import type { Page } from '@playwright/test'
import { anAccount, aPurchase, type Customer, call, inbox } from '../customers.ts'
import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

const paymentOf = async ({ token }: Customer): Promise<string> =>
  (await call('GET', '/payment/history', { token }))[0]._id

/** The page of a payment that has just been made. */
const openPaid = async (page: Page) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const id = await paymentOf(customer)
  await page.goto(`/payments/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: '€30.00' })).toBeVisible()
  return { customer, id }
}

test('a refund goes out once, and the same sum again has to be meant', async ({ page }) => {
  const { customer } = await openPaid(page)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const dialog = await ask(page, 'Refund')
  await dialog.getByLabel('Sum in EUR').fill('a lot')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('Please enter a sum like 4.50.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Sum in EUR').fill('4.50')
  await go(dialog, 'Refund', 'Recorded. The shop sends it to the gateway.')
  await expect(page.getByText('refunded', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Credit note CN-/)).toBeVisible()
  await inbox().latest(customer.email, 'refund')

  await ask(page, 'Refund')
  await dialog.getByLabel('Sum in EUR').fill('4.50')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('€4.50 is already refunded or on its way.')).toBeVisible()
  await dialog.getByLabel('The same sum once more is meant').check()
  await go(dialog, 'Refund', 'Recorded. The shop sends it to the gateway.')
  await expect(page.getByText('Refund of €4.50 asked for')).toHaveCount(2)
})

test(
  'a purchase is cancelled for its customer after a look at what would go back',
  ANY_WIDTH,
  async ({ page }) => {
    await openPaid(page)
    const dialog = await ask(page, 'Cancel the purchase')
    await expect(dialog.getByText(/^Asked for now, EUR (30\.00|29\.99) would go back\./)).toBeVisible()
    await expectAccessible(page)
    await go(dialog, 'Cancel the purchase', 'Cancelled. The customer gets a mail.')
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(page.getByText('0 active')).toBeVisible()
  },
)

test('a disputed payment is kept from a refund until the dispute is decided', ANY_WIDTH, async ({ page }) => {
  const { id } = await openPaid(page)
  await go(
    await ask(page, 'Record a dispute'),
    'Record it',
    'Recorded: nobody gives this money back a second way',
  )
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: '€30.00, open' }).click()
  await expectAccessible(page)
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/payments/${id}"]`) })
  await row.getByRole('button', { name: 'Say how it stands' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('It is so that').selectOption('It was won: the money is back')
  await go(dialog, 'Go ahead', 'Recorded')
  await expect(row).toContainText('won')
})

test(
  'the list is narrowed, sorted and given columns, and its address says how',
  ANY_WIDTH,
  async ({ page }) => {
    const { id } = await openPaid(page)
    await page.goto('/payments')
    await expect(page.locator(`a[href="/payments/${id}"]`)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Declined')
    await expect(page).toHaveURL(/status=Decline/)
    await expect(page.locator(`a[href="/payments/${id}"]`)).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Started' }).click()
    await expect(page.getByRole('columnheader', { name: 'Started' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Invoice' }).check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'Invoice' })).toBeVisible()
    const rows = page.getByRole('row').getByRole('link')
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(rows.nth(1)).toBeFocused()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
  },
)
