import { anAccount, aPurchase, call, inbox, newEmail, PASSWORD } from '../customers.ts'
import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'

const openByEmail = async (page: import('@playwright/test').Page, email: string) => {
  await page.goto('/customers')
  await page.getByRole('button', { name: /^Search/ }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill(email)
  await page.getByRole('option', { name: /^Customer/ }).click()
  await expect(page.getByRole('heading', { name: 'Who it is' })).toBeVisible()
}

test('a customer is found by their address, shown when asked for, noted and logged out', async ({ page }) => {
  const customer = await anAccount('Ada Lovelace')
  await aPurchase(customer)
  await openByEmail(page, customer.email)
  await expect(page.getByText('A. L.')).toBeVisible()
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Show personal data' }).click()
  await expect(page.getByText(customer.email)).toBeVisible()
  await expectNoSidewaysScroll(page)

  const note = await ask(page, 'Write a note')
  await note.getByLabel('Note').fill('Called on Monday.')
  await expectAccessible(page)
  await go(note, 'Keep', 'Kept')
  await expect(page.getByText('Called on Monday.')).toBeVisible()
  await go(await ask(page, 'Remove'), 'Remove', 'Removed')
  await expect(page.getByText('Called on Monday.')).toHaveCount(0)

  await go(await ask(page, 'End sessions'), 'End them', 'Ended. The owner gets a mail.')
  await expect(call('GET', '/user/security', customer)).rejects.toThrow(/401/)
})

test('a confirmation is sent again, and an account is erased by its word', ANY_WIDTH, async ({ page }) => {
  const email = newEmail()
  const body = { name: 'Grace Hopper', email, signupPassword: PASSWORD, acceptTerms: true }
  await call('POST', '/user/create', { body })
  await inbox().latest(email, 'Confirm your email')
  await openByEmail(page, email)
  const again = await ask(page, 'Send the confirmation again')
  await go(again, 'Go ahead', 'The mail is on its way. Its link works for 24 hours.')

  const erase = await ask(page, 'Erase')
  await erase.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect(erase.getByText('Please type erase as it stands.')).toBeVisible()
  await erase.getByLabel('To go ahead, type erase').fill('erase')
  await erase.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect(page.getByText('The account is erased.')).toBeVisible()
})
