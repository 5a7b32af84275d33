import { anAccount } from './customers.ts'
import { expect, logIn, takenOver, test } from './fixtures.ts'

test('a session begins with the log-in, goes along with every call, and ends on both sides', async ({
  page,
  context,
  request,
}) => {
  // A spoilt one is replaced by the next page.
  await context.addCookies([{ name: 'XSRF-TOKEN', value: '%E2%98%83%', url: process.env.SHOP_URL ?? '' }])
  const { email } = await anAccount()
  await page.goto('/profile?tab=history')
  await page.waitForURL(/\/login\?redirectUrl=%2Fprofile%3Ftab%3Dhistory$/)
  await logIn(page, email)
  await page.waitForURL(/\/profile\?tab=history$/)
  const stored = () => page.evaluate(() => localStorage.getItem('access_token'))
  const token = (await stored()) ?? ''
  const authorization = `Bearer ${token}`
  const profile = () => request.get('/api/v1/user/profile', { headers: { authorization } })
  expect((await profile()).status()).toBe(200)

  await test.step('a call that reads carries the token, one that changes something the cookie’s value, too', async () => {
    const [asked] = await Promise.all([page.waitForRequest('**/api/v1/user/profile'), page.reload()])
    expect(asked.headers()).toMatchObject({ authorization })
    expect(asked.headers()).not.toHaveProperty('x-xsrf-token')
    await page.getByRole('banner').getByRole('button', { name: 'Ada Lovelace' }).click()
    const leaving = page.waitForRequest('**/api/v1/user/logout')
    await page.getByRole('button', { name: 'Log out' }).click()
    const cookie = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    expect((await leaving).headers()).toMatchObject({
      authorization,
      'x-xsrf-token': decodeURIComponent(cookie),
    })
  })

  await page.waitForURL(({ pathname }) => pathname === '/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await stored()).toBeNull()
  expect((await profile()).status()).toBe(401)

  await test.step('a token that the server no longer knows is cleared', async () => {
    await page.evaluate((value) => localStorage.setItem('access_token', value), token)
    await page.goto('/profile')
    await page.waitForURL(/\/login\?redirectUrl=%2Fprofile$/)
    expect(await stored()).toBeNull()
  })
})

test('a message at a field takes the place of its hint and moves nothing below', async ({ page }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' })
  await takenOver(page)
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
