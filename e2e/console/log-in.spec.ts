import { codeOf } from '../authenticator.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, testOutside } from './fixtures.ts'
import { aDevice, anInvitation, OPERATOR_PASSWORD } from './operators.ts'

const test = testOutside

const expectIn = (page: import('@playwright/test').Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()

test(
  'an invited operator makes a passkey, and comes back to where they were by it',
  ANY_WIDTH,
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await aDevice(page)
    const { name, link } = await anInvitation('support')
    await page.goto(link)
    await expect(page.getByText(`You are ${name} here, and your role is`)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await expectIn(page)

    await page.getByRole('button', { name: /^support|^Account/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    await page.goto('/inbox?state=new')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    await expect(page).toHaveURL(/\/inbox\?state=new$/)
    await page.setViewportSize({ width: 1440, height: 900 })
    // What is not for support is neither offered nor opened.
    await expect(page.getByRole('link', { name: 'Operators' })).toHaveCount(0)
    await page.goto('/operators')
    await expect(page.getByRole('heading', { name: 'Not for your role' })).toBeVisible()
  },
)

test('with a password it takes the app’s code, too, and a link works once', ANY_WIDTH, async ({ page }) => {
  const { name, link } = await anInvitation('finance')
  await page.goto(link)
  await page.getByRole('button', { name: 'Use a password and an app instead' }).click()
  await expectAccessible(page)
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ?)+$/).textContent())?.replaceAll(' ', '') ?? ''
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await page.getByLabel('Code that the app shows').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Set up and log in' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /Please choose at least 12 characters\./,
  )
  await page.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD)
  await page.getByRole('button', { name: 'Set up and log in' }).click()
  await expectIn(page)

  await page.context().clearCookies()
  await page.goto(link)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Make a passkey' })).toHaveCount(0)

  await page.goto('/')
  const typeName = async (password: string) => {
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await typeName('another that nobody guesses')
  await expect(page.getByRole('alert')).toBeVisible()
  await typeName(OPERATOR_PASSWORD)
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 900))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expectIn(page)
})

test('a session that has ended says so, and goes on where it was', ANY_WIDTH, async ({ page }) => {
  await aDevice(page)
  const { link } = await anInvitation('owner')
  await page.goto(link)
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await expectIn(page)
  // Nothing there is read again by itself.
  await page.goto('/record')
  await expect(page.getByRole('table')).toBeVisible()
  await page.context().clearCookies()
  await page.getByRole('searchbox', { name: 'Who' }).fill('nobody at all')
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await expect(page).toHaveURL(/\/record\?who=nobody/)
})
