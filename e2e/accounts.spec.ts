import { linkIn } from '@hedgerow/testing/mailbox'
import { aCustomer, anAccount, inbox, PASSWORD } from './customers.ts'
import { ANY_WIDTH, confirm, expect, expectAccessible, logIn, signUp, test } from './fixtures.ts'

const NEW_PASSWORD = 'robin redbreast 3'

test('a forgotten password is replaced by the mailed link, once', ANY_WIDTH, async ({ page }) => {
  const { email } = await anAccount()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.waitForURL(/\/forgot/)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/login/)
  const link = linkIn(await inbox().latest(email, 'new password'), '/reset/')
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/reset-success/)
  await expect(page.getByText('Password updated. Please, log in using your new password')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  await logIn(page, email, NEW_PASSWORD)
  await page.waitForURL(/\/profile/)

  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/reset-failed/)
  await expect(page.getByText('Password reset failed. Your password reset link is invalid')).toBeVisible()
})

test('a confirmation link that was used leads to a page that says so', ANY_WIDTH, async ({ page }) => {
  await page.goto('/signup')
  const { email } = await signUp(page)
  const link = linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/')
  await confirm(page, email)
  // In the browser that it has logged in, a second press leads to the same end.
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/result\?email=/)
  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/confirm-failed/)
})

test('the mailed link logs in by itself in the browser that signed up', ANY_WIDTH, async ({ page }) => {
  await page.goto('/signup')
  const { email } = await signUp(page)
  await confirm(page, email)
  await expect(page.getByText('You are logged in.')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: /Ada Lovelace/ })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('signup_secret'))).toBeNull()
})

test(
  'in another browser the link asks for the password that was chosen',
  ANY_WIDTH,
  async ({ page, browser }) => {
    await page.goto('/signup')
    const { email } = await signUp(page)
    const link = linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/')
    const context = await browser.newContext()
    const other = await context.newPage()
    await other.goto(link)
    const password = other.getByLabel('Password', { exact: true })
    await expectAccessible(other)
    await password.fill('not the password')
    await other.getByRole('button', { name: 'Continue' }).click()
    await expect(other.getByText('The password is wrong')).toBeVisible()
    await password.fill(PASSWORD)
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.waitForURL(/\/result\?email=/)
    await expect(other.getByText('You are logged in.')).toBeVisible()
    await context.close()
  },
)

test(
  'who owns the address but did not sign up takes the account over',
  ANY_WIDTH,
  async ({ page, browser }) => {
    await page.goto('/signup')
    const { email } = await signUp(page)
    const link = linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/')
    const context = await browser.newContext()
    const owner = await context.newPage()
    await owner.goto(link)
    await owner.getByRole('button', { name: 'Choose a new password' }).click()
    await expectAccessible(owner)
    await owner.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await owner.getByLabel('Repeat password', { exact: true }).fill(NEW_PASSWORD)
    await owner.getByRole('button', { name: 'Continue' }).click()
    await owner.waitForURL(/\/result\?email=/)
    await owner.goto('/profile')
    await expect(owner.getByText('Ada Lovelace')).toBeHidden()
    await context.close()
    await page.goto('/login')
    await logIn(page, email)
    await expect(page.getByText('The email or the password is wrong. Please try again.')).toBeVisible()
  },
)

test('a wrong password shows the message of the shop and clears the name', ANY_WIDTH, async ({ page }) => {
  await page.goto('/login')
  await logIn(page, 'nobody@example.org', 'not my password')
  await expect(page.getByText('The email or the password is wrong. Please try again.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('')
  await expectAccessible(page)
})

test('a log-in never leads to another site', ANY_WIDTH, async ({ page }) => {
  const { email } = await anAccount()
  for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    await page.goto(`/login?redirectUrl=${encodeURIComponent(elsewhere)}`)
    await logIn(page, email)
    await page.waitForURL(/\/profile/)
    await page.evaluate(() => localStorage.clear())
  }
})

test('logging out ends the session here and on the server', ANY_WIDTH, async ({ page, request }) => {
  await aCustomer(page)
  const token = await page.evaluate(() => localStorage.getItem('access_token'))
  const profile = () => request.get('/api/v1/user/profile', { headers: { authorization: `Bearer ${token}` } })
  expect((await profile()).status()).toBe(200)
  await page.goto('/')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  expect((await profile()).status()).toBe(401)
})

test(
  'a session that the server no longer knows is cleared, and the guard asks to log in',
  ANY_WIDTH,
  async ({ page }) => {
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('access_token', 'a-token-that-nobody-has-ever-given-out'))
    await page.goto('/profile')
    await page.waitForURL(/\/login\?redirectUrl=%2Fprofile/)
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  },
)

test('a message at a field takes the place of its hint and moves nothing below', async ({ page }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' })
  const button = page.getByRole('button', { name: 'Continue' })
  const before = await button.boundingBox()
  const email = page.getByRole('textbox', { name: 'Email' })
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await email.focus()
  await expect(page.getByText('Name is mandatory for registration')).toBeVisible()
  await email.blur()
  await expect(page.getByText('Email is required for registration')).toBeVisible()
  await expect(page.getByText('We will send a link to it, to confirm that it is yours.')).toBeHidden()
  expect(await button.boundingBox()).toEqual(before)
  await email.fill('ada@example.org')
  await expect(page.getByText('We will send a link to it, to confirm that it is yours.')).toBeVisible()
  expect(await button.boundingBox()).toEqual(before)
})
