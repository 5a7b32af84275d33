import { linkIn } from '@hedgerow/testing/mailbox'
import type { Page } from '@playwright/test'
import { codeOf } from './authenticator.ts'
import { anAccount, call, enter, inbox } from './customers.ts'
import { ANY_WIDTH, expect, expectAccessible, expectNoSidewaysScroll, logIn, test } from './fixtures.ts'

type Guarded = { email: string; token: string; secret: string; codes: string[] }

/** An account with an app, made without the pages. */
const aGuarded = async (): Promise<Guarded> => {
  const { email, token } = await anAccount()
  const { secret } = await call('POST', '/user/totp', { token })
  const { recoveryCodes: codes } = await call('POST', '/user/totp/confirm', {
    token,
    body: { code: codeOf(secret) },
  })
  return { email, token, secret, codes }
}

const typeCode = async (page: Page, code: string) => {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
const expectIn = (page: Page) => expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
const toSecondStep = async (page: Page, email: string) => {
  await page.goto('/login')
  await logIn(page, email)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}
test('an app is set up, and a log-in then takes its code', async ({ page }) => {
  const { email, token } = await anAccount()
  await enter(page, { email, token }, '/profile/security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret.replaceAll(' ', ''), 900))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This code is not right')).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret.replaceAll(' ', '')))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('hedgerow-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expectAccessible(page)

  await page.evaluate(() => localStorage.clear())
  await toSecondStep(page, email)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await typeCode(page, codeOf(secret.replaceAll(' ', ''), 1))
  await expectIn(page)
})

test('a recovery code logs in once', ANY_WIDTH, async ({ page }) => {
  const { email, codes } = await aGuarded()
  const [code = ''] = codes
  await toSecondStep(page, email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await typeCode(page, code.toLowerCase())
  await expectIn(page)
  await page.evaluate(() => localStorage.clear())
  await toSecondStep(page, email)
  await typeCode(page, code)
  await expect(page.getByText(/This code has been used/)).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue(code)
})

test(
  'a reload and the back button lose nothing, and a ticket that is over leads back',
  ANY_WIDTH,
  async ({ page }) => {
    const { email, secret } = await aGuarded()
    await toSecondStep(page, email)
    await page.reload()
    await expect(page.getByText(email)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
    await page.goForward()
    for (let i = 0; i < 5; i++) {
      const answered = page.waitForResponse(/login\/second-step/)
      await typeCode(page, codeOf(secret, 900 + i))
      await answered
    }
    await expect(page.getByText(/too many attempts/)).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
  },
)

test('a lost device: the wait is told where one is logged in, and stopped by the mailed link', async ({
  page,
}) => {
  const { email, token } = await aGuarded()
  await toSecondStep(page, email)
  await page.getByRole('button', { name: 'I have lost my device' }).click()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Turn it off in 7 days' }).click()
  await expect(page.getByText(/The second step ends on/)).toBeVisible()

  await enter(page, { email, token }, '/profile')
  await expect(page.getByText(/Your second step ends on/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(linkIn(await inbox().latest(email, 'will be turned off in 7 days'), '/second-step/'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep the second step' }).click()
  await expect(page.getByText('The second step stays')).toBeVisible()
  await page.goto('/profile')
  await expectIn(page)
  await expect(page.getByText(/Your second step ends on/)).toBeHidden()
})
