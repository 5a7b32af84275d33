import { DAY_MS } from '@hedgerow/domain/dates'
import { anAccount, aPurchase } from '../customers.ts'
import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

test('an invoice is found, opened when asked for, and saved', ANY_WIDTH, async ({ page }) => {
  await aPurchase(await anAccount())
  const invoices = page.getByRole('table', { name: 'Invoices' })
  // It is issued some seconds after the payment.
  await expect(async () => {
    await page.goto('/finance/invoices')
    await expect(invoices).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page
    .getByRole('link', { name: /^\d{4}-\d{6}$/ })
    .first()
    .click()
  await expect(page.getByText('It names the buyer')).toBeVisible()
  await page.getByRole('button', { name: 'Open it' }).click()
  await expect(page.getByText('One Stop Shop').or(page.getByText('United Kingdom')).first()).toBeVisible()
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^invoice-\d{4}-\d{6}\.pdf$/)
  await page.goto('/finance/credit-notes')
  await expect(page.getByRole('heading', { level: 1, name: 'Credit notes' })).toBeVisible()
})

test('a month is checked, and leads to what is left to do', ANY_WIDTH, async ({ page }) => {
  const month = new Date().toISOString().slice(0, 7)
  await page.goto(`/finance/month?month=${month}`)
  await expect(page.getByRole('heading', { name: 'Totals' })).toBeVisible()
  await expect(page.getByText('the month has not ended yet')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test(
  'returns are shown for some days, and files for the accountant are made',
  ANY_WIDTH,
  async ({ page }) => {
    const today = new Date().toISOString().slice(0, 10)
    await aPurchase(await anAccount())
    await page.goto(`/finance/returns?from=${today.slice(0, 8)}01&to=${today}`)
    await expect(page.getByRole('table', { name: 'Boxes of HMRC’s return' })).toBeVisible()
    await expect(
      page.getByText('a nil return is due all the same').or(page.getByText('to pay')).first(),
    ).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Make the files' }).click()
    const link = page.getByRole('link', { name: /^books-.*\.csv$/ })
    const saved = page.waitForEvent('download')
    await link.click()
    expect((await saved).suggestedFilename()).toMatch(/^books-/)
  },
)

test('a rate far from the last has to be meant', ANY_WIDTH, async ({ page }) => {
  await page.goto('/finance/rates')
  const blik = page.getByRole('region', { name: 'Blik, in złoty' })
  await expect(blik.getByRole('table')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const ecb = page.getByRole('region', { name: 'Euros in a return of the One Stop Shop' })
  await ecb.getByRole('button', { name: 'Set a rate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Day').fill('2099-12-31')
  await dialog.getByLabel('Rate').fill('0.87')
  await dialog.getByRole('button', { name: 'Set it' }).click()
  await expect(dialog.getByText(/is still to come/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Leave it' }).click()
  await blik.getByRole('button', { name: 'Set a rate' }).click()
  await dialog.getByLabel('Currency').selectOption('GBP')
  await dialog.getByLabel('Rate').fill('50')
  await dialog.getByRole('button', { name: 'Set it' }).click()
  await expect(dialog.getByText(/more than a tenth away from the last rate/)).toBeVisible()
})

test('the gateway’s bookings are fetched, and compared with the shop', ANY_WIDTH, async ({ page }) => {
  const today = new Date().toISOString().slice(0, 10)
  await page.goto('/finance/settlement')
  const dialog = await ask(page, 'Fetch')
  await dialog.getByLabel('From').fill(today)
  await dialog.getByLabel('To').fill(today)
  await dialog.getByRole('button', { name: 'Fetch it' }).click()
  await expect(page.getByRole('status').getByText(/bookings: /)).toBeVisible()
  await expect(page.getByRole('table', { name: 'What was fetched and imported' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Compare a period' }).click()
  await ask(page, 'Choose a period')
  await dialog.getByLabel('From').fill(today)
  await dialog.getByLabel('To').fill(today)
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByText(/bookings are in order/)).toBeVisible()
  await expectAccessible(page)
})

test('what came without a place is sorted out', ANY_WIDTH, async ({ page }) => {
  await page.goto('/payments/unknown')
  await expect(page.getByRole('heading', { level: 1, name: 'Unknown payments' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/cancellations?all=true')
  await expect(page.getByRole('heading', { level: 1, name: 'Cancellations without a log-in' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/disputes')
  await (await ask(page, 'Ask the gateway now')).getByRole('button', { name: 'Ask it' }).click()
  await expect(page.getByRole('status').getByText(/known/)).toBeVisible()
  await page.goto('/payments/comparison')
  await page.getByRole('button', { name: 'Compare', exact: true }).dblclick()
  await expect(page.getByRole('status').getByText(/compared, \d+ differ/)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await test.step('a comparison that is stopped says how far it came', async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
    await page.getByLabel('From').fill(yesterday)
    const { promise: isStopped, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/api/v1/comparison?*', (route) => isStopped.then(() => route.continue()))
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    goOn()
    await expect(page.getByRole('status').getByText(`then stopped at ${yesterday}`)).toBeVisible()
    await page.getByLabel('To').fill('2026-01-01')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(page.getByText('Choose a first day that is not after the last one')).toBeVisible()
  })
})
