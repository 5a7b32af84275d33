import type { Page } from '@playwright/test'
import { anAccount, call, newEmail, PASSWORD } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectFieldError, refuse, test } from './fixtures.ts'

const submit = (page: Page) => page.getByRole('button', { name: 'Continue' })
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

test('the login has the messages of the specification', ANY_WIDTH, async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true')
  await expect(submit(page)).toBeDisabled()
  await expectFieldError(field(page, 'username'), '', 'Login is necessary to enter the site')
  await expectFieldError(field(page, 'password'), '', 'Password is required to enter the site')
  await expectFieldError(
    field(page, 'password'),
    '1234567',
    'The password cannot be shorter than 8 characters',
  )
  await expect(submit(page)).toBeDisabled()
  await expectAccessible(page)
  await field(page, 'username').fill('ada@example.org')
  await field(page, 'password').fill('12345678')

  for (const [status, message] of [
    [404, 'Connection error'],
    [503, 'Server error'],
    [400, 'Server error'],
    [429, 'Server error'],
  ] as const) {
    await refuse(page, '**/api/v1/user/login', status, 'What the server says')
    await submit(page).click()
    await expect(page.getByText(message, { exact: true })).toBeVisible()
    await expect(page.getByText('What the server says')).toHaveCount(status === 429 ? 1 : 0)
    await expect(field(page, 'username')).toHaveValue('ada@example.org')
  }

  await test.step('401 shows the message of the server and clears the username', async () => {
    await refuse(page, '**/api/v1/user/login', 401, 'Not like this')
    await submit(page).click()
    await expect(page.getByText('Not like this')).toBeVisible()
    await expect(field(page, 'username')).toHaveValue('')
    await expect(field(page, 'password')).toHaveValue('12345678')
    await expect(submit(page)).toBeDisabled()
  })
})

test('the signup has the messages of the specification', ANY_WIDTH, async ({ page }) => {
  await page.goto('/signup')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  await expect(submit(page)).toBeDisabled()
  await expectFieldError(field(page, 'name'), '', 'Name is mandatory for registration')
  await expectFieldError(field(page, 'name'), 'A', 'The name should not be shorter than 2 letters')
  await expectFieldError(field(page, 'email'), '', 'Email is required for registration')
  await expectFieldError(field(page, 'email'), 'ada@', 'Enter correct email address')
  await expectFieldError(field(page, 'signupPassword'), '', 'Password is required for registration')
  await expectFieldError(
    field(page, 'signupPassword'),
    '1234567',
    'The password should not be shorter than 8 characters',
  )
  await field(page, 'acceptTerms').check()
  await field(page, 'acceptTerms').uncheck()
  await field(page, 'acceptTerms').blur()
  await expect(page.getByText('You have to accept terms and policy')).toBeVisible()
  await expect(submit(page)).toBeDisabled()
  await expectAccessible(page)

  await field(page, 'name').fill('Ad')
  await field(page, 'email').fill('ada@example.org')
  await field(page, 'signupPassword').fill(PASSWORD)
  await expect(submit(page)).toBeDisabled()
  await field(page, 'acceptTerms').check()
  await expect(submit(page)).toBeEnabled()
})

test(
  'a signup that is refused clears what must be another, or speaks Russian',
  ANY_WIDTH,
  async ({ page }) => {
    const { email: taken } = await anAccount()
    await page.goto('/signup')
    await field(page, 'name').fill('Ada King')
    await field(page, 'signupPassword').fill(PASSWORD)
    await field(page, 'acceptTerms').check()

    for (const status of [503, 409, 429] as const) {
      await refuse(page, '**/api/v1/user/create', status, 'What the server says')
      await field(page, 'email').fill(newEmail())
      await submit(page).click()
      const message = page.getByText('Ошибка сервера. Повторите попытку позже.')
      await expect(message).toBeVisible()
      await expect(message).toHaveAttribute('lang', 'ru')
      await expect(field(page, 'signupPassword')).toHaveValue(PASSWORD)
      await page.unroute('**/api/v1/user/create')
    }

    await test.step('an email that is taken', async () => {
      await field(page, 'email').fill(taken)
      await submit(page).click()
      await expect(page.getByText('This email is already registered.')).toBeVisible()
      for (const name of ['email', 'signupPassword']) {
        await expect(field(page, name)).toHaveValue('')
        await expect(field(page, name)).not.toHaveAttribute('aria-invalid', 'true')
      }
      await expect(page.getByText('is required for registration')).toHaveCount(0)
      await expect(field(page, 'name')).toHaveValue('Ada King')
      await expect(submit(page)).toBeDisabled()
      await expectAccessible(page)
    })
  },
)

test('the pages after a registration lead on, with the email', ANY_WIDTH, async ({ page }) => {
  const main = page.getByRole('main')
  await page.goto('/confirm?email=ada%40example.org')
  await expect(main).toContainText('We sent a confirmation email to ada@example.org')
  await page.goto('/confirm')
  await expect(main).toContainText('We sent a confirmation email to your address')
  await expect(main.getByRole('link', { name: 'repeat the registration' })).toHaveAttribute('href', '/signup')
  await main.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login$/)

  await page.goto('/result?email=ada%40example.org')
  await expect(main).toContainText('Registration is complete')
  await expect(main).toContainText('ada@example.org')
  await expect(main.locator('a[href="/reset"]')).toBeVisible()
  await main.getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login\?email=ada%40example\.org$/)
  await expect(field(page, 'username')).toHaveValue('ada@example.org')
})

for (const path of ['/forgot', '/reset']) {
  test(`${path} asks for an email, and keeps it when the mail was not sent`, ANY_WIDTH, async ({ page }) => {
    await page.goto(path)
    await expect(submit(page)).toBeDisabled()
    await expectFieldError(field(page, 'username'), '', 'Email is required to reset your password')
    await expectFieldError(field(page, 'username'), 'a@', 'Valid email is required')
    await expectFieldError(field(page, 'username'), 'ada.example.org', 'Valid email is required')
    await expect(submit(page)).toBeDisabled()
    await field(page, 'username').fill('nobody@example.org')
    await refuse(page, '**/api/v1/user/password/forgot', 503, 'Please try again later.')
    await submit(page).click()
    await expect(page.getByText('Please try again later.')).toBeVisible()
    await expect(field(page, 'username')).toHaveValue('nobody@example.org')
    await page.unroute('**/api/v1/user/password/forgot')
    // Whether or not there is such an account.
    await submit(page).click()
    await page.waitForURL(/\/login$/)
    await expect(page.getByText('If there is an account for nobody@example.org')).toBeVisible()
  })
}

test(
  'a new password is typed twice alike; whatever fails leads to /reset-failed',
  ANY_WIDTH,
  async ({ page }) => {
    const typeBoth = async () => {
      await field(page, 'password').fill(PASSWORD)
      await field(page, 'repeat').fill(PASSWORD)
    }
    const expectFailed = async () => {
      await page.waitForURL(/\/reset-failed$/)
      await expect(page.getByText('Password reset failed. Your password reset link is invalid')).toBeVisible()
    }
    await page.goto('/reset/a-token-that-nobody-was-sent')
    await expect(submit(page)).toBeDisabled()
    await expectFieldError(
      field(page, 'password'),
      '1234567',
      'The password cannot be shorter than 8 characters',
    )
    await field(page, 'password').fill(PASSWORD)
    await expectFieldError(field(page, 'repeat'), 'hedge sparrow 8', 'Passwords do not mach')
    await expect(submit(page)).toBeDisabled()
    await expectAccessible(page)
    await field(page, 'repeat').fill(PASSWORD)
    await submit(page).click()
    await expectFailed()
    await page.getByRole('main').getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(/\/login$/)

    await page.goto('/reset/a-token')
    await typeBoth()
    await refuse(page, '**/api/v1/user/password/reset', 503, 'Later')
    await submit(page).click()
    await expectFailed()

    await page.goto('/reset/%20')
    await expectFailed()
  },
)

test(
  'a session is kept as the specification says, and only then is a profile asked for',
  ANY_WIDTH,
  async ({ page, context }) => {
    const profileCalls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/user/profile')) profileCalls.push(request.url())
    })

    await test.step('what is for customers sends a visitor to log in, with the address that was wanted', async () => {
      for (const path of [
        '/profile?tab=history',
        '/submit',
        '/support',
        '/payment/checkout/00000000-0000-4000-8000-000000000000',
        '/checkout/00000000-0000-4000-8000-000000000000',
      ]) {
        await page.goto(path)
        await page.waitForURL(({ pathname, searchParams }) => {
          return pathname === '/login' && searchParams.get('redirectUrl') === path
        })
      }
      expect(profileCalls).toEqual([])
    })

    const { email } = await anAccount()
    await test.step('the log-in stores the token and goes where the visitor wanted to', async () => {
      await page.goto('/login?redirectUrl=%2Fprofile%3Ftab%3Dhistory')
      await field(page, 'username').fill(email)
      await field(page, 'password').fill(PASSWORD)
      const calling = page.waitForRequest('**/api/v1/user/login')
      await submit(page).click()
      expect((await calling).postDataJSON()).toEqual({ username: email, password: PASSWORD })
      await page.waitForURL(/\/profile\?tab=history$/)
      const token = await page.evaluate(() => localStorage.getItem('access_token'))
      expect(await call('GET', '/user/profile', { token: token ?? '' })).toMatchObject({ email })
    })

    await test.step('every call carries the token, and what changes something the cookie’s value', async () => {
      const [asked] = await Promise.all([page.waitForRequest('**/api/v1/user/profile'), page.reload()])
      const bearer = `Bearer ${await page.evaluate(() => localStorage.getItem('access_token'))}`
      expect(asked.headers()).toMatchObject({ authorization: bearer })
      expect(asked.headers()).not.toHaveProperty('x-xsrf-token')
      await page.getByRole('banner').getByRole('button', { name: 'Ada Lovelace' }).click()
      const leaving = page.waitForRequest('**/api/v1/user/logout')
      await page.getByRole('button', { name: 'Log out' }).click()
      const cookie = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
      expect((await leaving).headers()).toMatchObject({
        authorization: bearer,
        'x-xsrf-token': decodeURIComponent(cookie),
      })
      await page.waitForURL(({ pathname }) => pathname === '/')
    })
  },
)
