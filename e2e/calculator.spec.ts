import type { Page } from '@playwright/test'
import { aCustomer } from './customers.ts'
import { ANY_WIDTH, clickUntil, expect, order, test } from './fixtures.ts'

const typed = (page: Page, name: string) => page.getByRole('spinbutton', { name })
const slider = (page: Page, name: string) => page.getByRole('slider', { name })
/** Also a button that says that it is at its limit. */
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click({ force: true })
const total = (page: Page) => page.getByRole('status').filter({ hasText: /[€£]\d/ })

/** Opens the calculator, whose script has come once a button does something. */
const openCalculator = async (page: Page, search = '') => {
  await page.goto(`/calculator${search}`)
  await clickUntil(
    () => press(page, 'More days'),
    () => expect(typed(page, 'Days')).not.toHaveValue('30', { timeout: 500 }),
  )
  await typed(page, 'Days').fill('30')
  await expect(total(page)).toHaveText(/[€£]30\.00/)
}

test('the calculator starts and ends where the specification says', ANY_WIDTH, async ({ page }) => {
  await page.goto('/calculator')
  await expect(typed(page, 'Days')).toHaveValue('30')
  await expect(typed(page, 'Connections')).toHaveValue('3')
  await expect(page.getByRole('radio', { name: /EUR/ })).toBeChecked()
  for (const feature of await page.getByRole('switch').all()) await expect(feature).not.toBeChecked()
  await openCalculator(page)

  /** Whatever sets the value, both controls and the price show what became of it. */
  const expectSet = async (name: 'Days' | 'Connections', value: number, price: string) => {
    await expect(typed(page, name)).toHaveValue(String(value))
    await expect(total(page)).toHaveText(price)
  }

  await test.step('1 to 365 days, on a slider from 3 to 500', async () => {
    await expect(slider(page, 'Days')).toHaveAttribute('min', '3')
    await expect(slider(page, 'Days')).toHaveAttribute('max', '500')
    await typed(page, 'Days').fill('400')
    await expectSet('Days', 365, '€365.00')
    await press(page, 'More days')
    await expectSet('Days', 365, '€365.00')
    await press(page, 'Fewer days')
    await expectSet('Days', 364, '€364.00')
    await slider(page, 'Days').fill('500')
    await expectSet('Days', 365, '€365.00')
    await slider(page, 'Days').fill('3')
    await expectSet('Days', 3, '€3.00')
    await typed(page, 'Days').fill('0')
    await expectSet('Days', 1, '€1.00')
    await press(page, 'Fewer days')
    await expectSet('Days', 1, '€1.00')
    await press(page, 'More days')
    await expectSet('Days', 2, '€2.00')
  })

  await test.step('3 to 13 connections', async () => {
    await expect(slider(page, 'Connections')).toHaveAttribute('min', '3')
    await expect(slider(page, 'Connections')).toHaveAttribute('max', '13')
    await press(page, 'Fewer connections')
    await expectSet('Connections', 3, '€2.00')
    await typed(page, 'Connections').fill('99')
    await expectSet('Connections', 13, '€3.00')
    await press(page, 'More connections')
    await expectSet('Connections', 13, '€3.00')
    await slider(page, 'Connections').fill('4')
    await expectSet('Connections', 4, '€2.10')
    await typed(page, 'Connections').fill('1')
    await expectSet('Connections', 3, '€2.00')
  })

  await test.step('four features, each at its price', async () => {
    for (const [feature, price] of [
      ['Priority bandwidth', '€2.05'],
      ['Advertisement filter', '€2.08'],
      ['Malicious content filter', '€2.10'],
      ['Family content filter', '€2.11'],
    ] as const) {
      await page.getByRole('switch', { name: feature }).check()
      await expect(total(page)).toHaveText(price)
    }
  })

  await test.step('the currency is one with that of the header', async () => {
    const header = page.getByRole('combobox', { name: 'Currency' })
    await expect(header.getByRole('option')).toHaveText(['€ EUR', '£ GBP'])
    await page.getByRole('radio', { name: /GBP/ }).check()
    await expect(total(page)).toHaveText('£2.11')
    await expect(header).toHaveValue('GBP')
    await header.selectOption('EUR')
    await expect(total(page)).toHaveText('€2.11')
    await expect(page.getByRole('radio', { name: /EUR/ })).toBeChecked()
  })
})

test('what is typed counts once it has stood for 250 milliseconds', ANY_WIDTH, async ({ page }) => {
  await page.clock.install()
  await openCalculator(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  await typed(page, 'Days').fill('4')
  await page.clock.runFor(200)
  await typed(page, 'Days').fill('45')
  await page.clock.runFor(240)
  await expect(total(page)).toHaveText('€30.00')
  await page.clock.runFor(20)
  await expect(total(page)).toHaveText('€45.00')
})

test(
  'what was chosen is what is ordered, and shown while and after it loads',
  ANY_WIDTH,
  async ({ page }) => {
    const search = '?days=1&connections=13&features=feature1,feature2,feature3,feature4&currency=GBP'
    await aCustomer(page, `/calculator${search}`)
    await expect(total(page)).toHaveText('£2.11')
    // The order's page is asked for an order that is slow to come.
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/v1/orders/*', async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/orders$/.test(request.url()),
    )
    await order(page)
    expect((await asked).postDataJSON()).toMatchObject({
      days: 1,
      connections: 13,
      features: { feature1: true, feature2: true, feature3: true, feature4: true },
      total: 2.11,
    })
    await expect(page).toHaveTitle('Hedgerow – Checkout')
    await expect(page.getByText('Loading your order')).toBeAttached()
    letGo()
    const main = page.getByRole('main')
    for (const text of [
      '1 day',
      'Connections13',
      'Priority bandwidth',
      'Advertisement filter',
      'Malicious content filter',
      'Family content filter',
      '£2.11',
    ])
      await expect(main).toContainText(text)
    await expect(page.getByRole('tab')).toHaveText(['Card', 'Open Banking', 'Blik'])
    await expect(page.getByRole('button', { name: 'Pay £2.11' })).toBeDisabled()
  },
)
