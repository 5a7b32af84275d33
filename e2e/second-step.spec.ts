import type { Page } from '@playwright/test'
import { codeOf } from './authenticator.ts'
import { anAccount, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, ON_A_PHONE, test } from './fixtures.ts'

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
test('an app is set up, and a log-in then takes its code', ON_A_PHONE, async ({ page }) => {
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
  await test.step('a reload and the back button lose nothing', async () => {
    await page.reload()
    await expect(page.getByText(email)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
    await page.goForward()
  })
  await typeCode(page, codeOf(secret.replaceAll(' ', ''), 1))
  await expectIn(page)
})
