import type { Page } from '@playwright/test'
import { anAccount, aPurchase, call, enter } from './customers.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  ON_A_PHONE,
  order,
  payWith,
  test,
  unfold,
} from './fixtures.ts'

const PAID = '4000000000000077'

const profileOf = (token: string) => call('GET', '/user/profile', { token })
const ticket = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const choice = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name} `) })
const DAY_MS = 86_400_000

test(
  'one of three connections is extended from the profile, and keeps its keys',
  ON_A_PHONE,
  async ({ page }) => {
    const customer = await anAccount()
    await aPurchase(customer)
    const { connections: before } = await profileOf(customer.token)

    await enter(page, customer, '/profile')
    await unfold(page, 'Hedgerow 2')
    await ticket(page, 'Hedgerow 2').getByRole('link', { name: 'Buy more' }).click()
    await page.waitForURL(/\/products\?renew=/)
    await expect(choice(page, 'Hedgerow 2')).toBeChecked()
    await expect(choice(page, 'Hedgerow 1')).not.toBeChecked()
    await expect(page.getByText('3 connections: extends Hedgerow 2, 2 new')).toBeVisible()
    await page.getByRole('spinbutton', { name: 'Days' }).fill('10')
    await page.getByRole('spinbutton', { name: 'Days' }).blur()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)

    await order(page)
    await expect(page.getByText('extends Hedgerow 2, 2 new').filter({ visible: true })).toBeVisible()
    await payWith(page, PAID)
    await page.waitForURL(/\/payment\/success/)

    const { connections: after } = await profileOf(customer.token)
    expect(after).toHaveLength(5)
    for (const old of before) {
      const { expirationDate, cancellable, lastBought, ...same } = after.find(
        ({ _id }: { _id: string }) => _id === old._id,
      )
      expect(cancellable).toHaveLength(old.name === 'Hedgerow 2' ? 2 : 1)
      expect(old).toMatchObject(same)
      expect(lastBought.days).toBe(old.name === 'Hedgerow 2' ? 10 : 30)
      const days = (Date.parse(expirationDate) - Date.parse(old.expirationDate)) / DAY_MS
      expect(days).toBe(old.name === 'Hedgerow 2' ? 10 : 0)
    }
    await page.goto('/profile')
    await expect(ticket(page, 'Hedgerow 2').getByText(/^Expires: /)).toBeVisible()
    const lines = await Promise.all(
      [1, 2].map((n) =>
        ticket(page, `Hedgerow ${n}`)
          .getByText(/^Expires: /)
          .textContent(),
      ),
    )
    expect(lines[0]).not.toBe(lines[1])
  },
)
