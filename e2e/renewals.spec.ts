import { linkIn } from '@hedgerow/testing/mailbox'
import type { Page } from '@playwright/test'
import { anAccount, aPlanPurchase, aPurchase, call, enter } from './customers.ts'
import {
  ANY_WIDTH,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  order,
  payWith,
  test,
} from './fixtures.ts'

const PAID = '4000000000000077'

const profileOf = (token: string) => call('GET', '/user/profile', { token })
const ticket = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const choice = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name} `) })
const DAY_MS = 86_400_000

test('one of three connections is extended from the profile, and keeps its keys', async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const { connections: before } = await profileOf(customer.token)

  await enter(page, customer, '/profile')
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
})

test('a reminder’s link chooses what ends, also after logging in', ANY_WIDTH, async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const { connections } = await profileOf(customer.token)
  const ids = connections.slice(0, 2).map(({ _id }: { _id: string }) => _id)
  // As the mail has it; when the mail comes is a fact of the API's own tests.
  const link = linkIn({ text: `${process.env.SHOP_URL}/products?renew=${ids.join()}` } as never, '/products')
  await page.goto(link)
  await expect(page.getByText('Log in to extend your connections.')).toBeVisible()
  await page.getByRole('link', { name: 'Log in to buy' }).click()
  await logIn(page, customer.email)
  await page.waitForURL(/\/calculator\?.*renew=/)
  await expect(choice(page, 'Hedgerow 1')).toBeChecked()
  await expect(choice(page, 'Hedgerow 2')).toBeChecked()
  await expect(choice(page, 'Hedgerow 3')).not.toBeChecked()

  await test.step('the keyboard chooses another', async () => {
    await choice(page, 'Hedgerow 2').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(choice(page, 'Hedgerow 3')).toBeChecked()
    await expect(page.getByText('3 connections: extends Hedgerow 1, 2 and 3', { exact: true })).toBeVisible()
  })
  await order(page)
  await expect(page.getByText('extends Hedgerow 1, 2 and 3').filter({ visible: true })).toBeVisible()

  await test.step('and whoever goes back finds what they chose', async () => {
    await page.goBack()
    await page.waitForURL(/\/calculator\?.*renew=/)
    await expect(choice(page, 'Hedgerow 3')).toBeChecked()
    await expect(page.getByText('3 connections: extends Hedgerow 1, 2 and 3', { exact: true })).toBeVisible()
  })
})

test(
  'what ends together is renewed by one press, by the plan that bought it',
  ANY_WIDTH,
  async ({ page }) => {
    const customer = await anAccount()
    await aPlanPurchase(customer)
    const { connections: before } = await profileOf(customer.token)
    // Soon, as the page is told.
    const soon = new Date(Date.now() + 3 * DAY_MS).toISOString()
    await page.route('**/api/v1/user/profile', async (route) => {
      const reply = await route.fetch()
      const profile = await reply.json()
      for (const one of profile.connections.slice(0, 2)) one.expirationDate = soon
      await route.fulfill({ response: reply, json: profile })
    })
    await enter(page, customer, '/profile')
    await expect(page.getByText(/^Hedgerow 1 and 2 end on \d\d\/\d\d\/\d{4}\.$/)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Renew 2 connections' }).click()
    await page.waitForURL(/\/payment\/checkout\/.*\?renew=/)
    await expect(page.getByText('3: extends Hedgerow 1 and 2, 1 new')).toBeVisible()
    await page.unroute('**/api/v1/user/profile')
    await payWith(page, PAID)
    await page.waitForURL(/\/payment\/success/)
    await expect(page.getByRole('heading', { name: 'Your 3 connections' })).toBeVisible()

    const { connections: after } = await profileOf(customer.token)
    expect(after).toHaveLength(4)
    const added = before.map((old: { _id: string; expirationDate: string }) => {
      const now = after.find(({ _id }: { _id: string }) => _id === old._id)
      return (Date.parse(now.expirationDate) - Date.parse(old.expirationDate)) / DAY_MS
    })
    expect(added).toEqual([31, 31, 0])
  },
)
