import { linkIn } from '@hedgerow/testing/mailbox'
import type { Page } from '@playwright/test'
import { anAccount, call, inbox, PASSWORD } from './customers.ts'
import {
  clickUntil,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  ON_A_PHONE,
  payWith,
  signUp,
  test,
} from './fixtures.ts'

const theOrder = (page: Page) => page.getByRole('region', { name: 'Your order' })

/** 45 days with a filter, chosen by taps and typing, up to the form that opens an account for it. */
const chooseAndSignUp = async (page: Page) => {
  await page.goto('/')
  const days = page.getByRole('spinbutton', { name: 'Days' })
  await clickUntil(
    () => days.fill('45'),
    () => expect(page.getByRole('status').filter({ hasText: '€45.00' })).toBeVisible({ timeout: 1000 }),
  )
  await page.getByRole('switch', { name: 'Advertisement filter' }).check()
  await page.getByRole('link', { name: 'Sign up to buy' }).click()
  await page.waitForURL(/\/signup\?redirectUrl=/)
  await expect(theOrder(page)).toContainText('45 days, 3 connections, Advertisement filter')
  await expect(theOrder(page)).toContainText('€45.03')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const { email } = await signUp(page)
  return { email, link: linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/') }
}

/** On the checkout of exactly that, which was ordered once. */
const expectCheckout = async (page: Page, email: string) => {
  await page.waitForURL(/\/checkout\//)
  const main = page.getByRole('main')
  for (const text of ['45 days', 'Connections3', 'Advertisement filter', '€45.03'])
    await expect(main).toContainText(text)
  await expect(page.getByRole('button', { name: 'Pay €45.03' })).toBeDisabled()
  const { access_token: token } = await call('POST', '/user/login', {
    body: { username: email, password: PASSWORD },
  })
  expect(await call('GET', '/orders', { token })).toMatchObject([
    { days: 45, connections: 3, total: 45.03, currency: { code: 'EUR' }, status: 'New' },
  ])
}

test(
  'a newcomer on a phone opens the mail there and is at the checkout of what they chose',
  ON_A_PHONE,
  async ({ page, context }) => {
    const { email, link } = await chooseAndSignUp(page)
    const mail = await context.newPage()
    await mail.goto(link)
    await expectCheckout(mail, email)

    await test.step('going back and reloading order nothing more', async () => {
      await mail.goBack()
      await mail.waitForURL(
        ({ pathname, search }) => pathname === '/calculator' && !search.includes('order='),
      )
      await expect(mail.getByText('€45.03').first()).toBeVisible()
      await mail.reload()
      await expect(mail.getByRole('button', { name: 'Buy', exact: true })).toBeEnabled()
      await mail.goForward()
      await expectCheckout(mail, email)
    })

    await test.step('nor does the tab that was left with the form', async () => {
      await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
      await page.waitForURL(({ pathname }) => pathname === '/calculator')
      await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeEnabled()
      await expect(page.getByText('€45.03').first()).toBeVisible()
      await mail.bringToFront()
      await expectCheckout(mail, email)
    })
  },
)

test(
  'a forgotten password is replaced in another browser, and the plan is still there to be bought',
  ON_A_PHONE,
  async ({ page, browser }) => {
    const { email } = await anAccount()
    const [plan] = await call('GET', '/shop/items')
    const path = `/payment/checkout/${plan._id}`
    await page.goto(path)
    await page.waitForURL(/\/login\?redirectUrl=/)
    await expect(theOrder(page)).toContainText(`£${(plan.price / 100).toFixed(2)}`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.waitForURL(/\/forgot/)
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/login/)
    const other = await (await browser.newContext({ viewport: page.viewportSize() })).newPage()
    await other.goto(linkIn(await inbox().latest(email, 'new password'), '/reset/'))
    await other.getByLabel('New password', { exact: true }).fill('robin redbreast 3')
    await other.getByLabel('Repeat password', { exact: true }).fill('robin redbreast 3')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.waitForURL(/\/reset-success/)
    await other.getByRole('link', { name: 'Continue' }).click()
    await expect(other.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
    await other.getByLabel('Password', { exact: true }).fill('robin redbreast 3')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.waitForURL(({ pathname }) => pathname === path)
    await expect(other.getByRole('heading', { name: 'Your plan' })).toBeVisible()
    await expect(other.getByRole('combobox', { name: 'Currency' })).toHaveValue('GBP')
    await payWith(other, '4000000000000077')
    await other.waitForURL(/\/payment\/success/)
    await other.context().close()
  },
)
