import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { aCustomer, anAccount, aPurchase, enter, inbox, PASSWORD } from './customers.ts'
import {
  ANY_WIDTH,
  clickUntil,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  test,
} from './fixtures.ts'

const NEW_PASSWORD = 'robin redbreast 3'

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`)
const isSave = (request: { method: () => string; url: () => string }) =>
  request.method() === 'PUT' && request.url().endsWith('/api/v1/user')

/** The fields of the tab by their labels (spec §2). */
const PERSONAL_DATA = {
  Nickname: 'name',
  Name: 'firstName',
  'Last name': 'lastName',
  Phone: 'phone',
  Country: 'addressCountry',
  City: 'addressCity',
  'Postal code': 'addressZip',
  Address: 'addressString',
}

/** A customer on the profile tab. */
const onProfile = async (page: Page) => {
  const { email } = await aCustomer(page, '/profile?tab=profile')
  await expect(field(page, 'name')).toHaveValue('Ada Lovelace')
  return { email }
}

test('the tabs have addresses, and the back button moves between them', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page, '/profile')
  await expect(page.getByRole('tab')).toHaveText(['Connections', 'Partnership', 'Profile', 'Payment history'])
  await expect(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible()
  await expect(page.getByText('Please choose your price plan to use our service.')).toBeVisible()
  await page.getByRole('tab', { name: 'Profile' }).click()
  await expect(page).toHaveURL(/\?tab=profile$/)
  await expect(page.getByRole('heading', { name: 'Personal data' })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page).toHaveURL(/\?tab=connections$/)
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Connections' })).toHaveAttribute('aria-selected', 'true')
  await page.goto('/profile?tab=nothing')
  await expect(page.getByRole('tab', { name: 'Connections' })).toHaveAttribute('aria-selected', 'true')
})

test(
  'profile edits are saved automatically two seconds after the last change',
  ANY_WIDTH,
  async ({ page }) => {
    await page.clock.install()
    await onProfile(page)
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (isSave(request)) sent.push(request.postDataJSON())
    })
    await expect(page.getByLabel('Email')).toBeDisabled()
    for (const [label, name] of Object.entries(PERSONAL_DATA))
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('name', name)

    await page.clock.pauseAt(Date.now() + 60_000)
    await field(page, 'name').fill('Countess of Lovelace')
    await page.clock.runFor(1900)
    await field(page, 'addressCity').fill('London')
    await page.clock.runFor(1990)
    expect(sent).toEqual([])
    const saved = page.waitForRequest(isSave)
    await page.clock.runFor(20)
    await saved
    await page.clock.resume()
    expect(sent).toEqual([expect.objectContaining({ name: 'Countess of Lovelace', addressCity: 'London' })])
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    // The header and the heading show the new name at once.
    await expect(page.getByRole('button', { name: /Countess of Lovelace/ })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Welcome, Countess of Lovelace' })).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(field(page, 'addressCity')).toHaveValue('London')
  },
)

test('the initial value and an unchanged one are not saved', ANY_WIDTH, async ({ page }) => {
  await onProfile(page)
  let saves = 0
  page.on('request', (request) => {
    if (isSave(request)) saves++
  })
  await field(page, 'addressCity').fill('London')
  await field(page, 'addressCity').fill('')
  // More than the two seconds after which it would be sent.
  await page.waitForTimeout(3000)
  expect(saves).toBe(0)
})

test('an error stands at its field, and the others are saved', ANY_WIDTH, async ({ page }) => {
  await onProfile(page)
  await field(page, 'phone').fill('call me')
  await expect(page.getByText('Use digits, spaces and + - . / ( ) only')).toBeVisible()
  await field(page, 'addressCountry').fill('France')
  await expect(page.getByText('Saved, except what is marked')).toBeVisible()
  await expect(field(page, 'phone')).toHaveValue('call me')
  await expectAccessible(page)
})

test('nothing is lost when the page is closed before it was saved', ANY_WIDTH, async ({ page, context }) => {
  await onProfile(page)
  await field(page, 'addressString').fill('12 St James’s Square')
  await page.close({ runBeforeUnload: true })
  const next = await context.newPage()
  await expect(async () => {
    await next.goto('/profile?tab=profile')
    await expect(field(next, 'addressString')).toHaveValue('12 St James’s Square', { timeout: 2000 })
  }).toPass()
  await expect
    .poll(() => next.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))))
    .toEqual([])
})

test('a save that fails says why and loses nothing; it can be tried again', ANY_WIDTH, async ({ page }) => {
  await onProfile(page)
  const json = { title: 'Too Many Requests', status: 429, detail: 'Too many attempts.' }
  await page.route('**/api/v1/user', (route) => route.fulfill({ status: 429, json }))
  await field(page, 'addressCity').fill('Bath')
  await expect(page.getByText('Your changes are not saved yet')).toBeVisible()
  await expect(page.getByText('Too many attempts.')).toBeVisible()
  await expect(field(page, 'addressCity')).toHaveValue('Bath')
  await page.unroute('**/api/v1/user')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('two pages of one customer do not overwrite each other', ANY_WIDTH, async ({ page, context }) => {
  await onProfile(page)
  const other = await context.newPage()
  await other.goto('/profile?tab=profile')
  await expect(field(other, 'name')).toHaveValue('Ada Lovelace')
  await field(page, 'addressCity').fill('London')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await field(other, 'phone').fill('+44 20 7946 0000')
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await expect(field(other, 'addressCity')).toHaveValue('London')
  await page.reload()
  await expect(field(page, 'phone')).toHaveValue('+44 20 7946 0000')
  await expect(field(page, 'addressCity')).toHaveValue('London')
})

test('the password is changed with the old one', ANY_WIDTH, async ({ page }) => {
  const { email } = await aCustomer(page, '/profile/security')
  const type = async (old: string, repeat = NEW_PASSWORD) => {
    await page.getByLabel('Old password', { exact: true }).fill(old)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Repeat password', { exact: true }).fill(repeat)
    await page.getByLabel('Repeat password', { exact: true }).blur()
  }
  const press = () => page.getByRole('button', { name: 'Change password' }).click()
  await type(PASSWORD, 'robin redbreast 4')
  await expect(page.getByText('Passwords do not mach')).toBeVisible()
  await type('not my password')
  await press()
  await expect(page.getByText('The old password is wrong')).toBeVisible()
  await type(PASSWORD)
  await press()
  await expect(page.getByText('Your password has been changed')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await logIn(page, email, NEW_PASSWORD)
  await page.waitForURL(/\/profile/)
})

test('everything held about the customer comes as a file', ANY_WIDTH, async ({ page }) => {
  const { email } = await onProfile(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('hedgerow-data.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(data.account).toMatchObject({ email, name: 'Ada Lovelace' })
})

test('the account is deleted with the email and the password typed', ANY_WIDTH, async ({ page }) => {
  const customer = await anAccount()
  const { email } = customer
  await aPurchase(customer)
  await enter(page, customer, '/profile?tab=profile')
  const dialog = page.getByRole('dialog')
  await clickUntil(
    () => page.getByRole('button', { name: 'Delete my account' }).click(),
    () => expect(dialog).toBeVisible({ timeout: 2000 }),
  )
  await expect(
    dialog.getByText(
      /We keep invoices and credit notes, with your name and address and the name on the card/,
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const confirm = dialog.getByRole('button', { name: 'Delete for good' })
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel('Type your email').fill('eve@example.org')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await confirm.click()
  await expect(dialog.getByText('This is not the email of your account')).toBeVisible()
  await dialog.getByLabel('Type your email').fill(email)
  await confirm.click()
  await expect(page.getByText('Your account has been deleted')).toBeVisible()
  await expect(page).toHaveURL(({ pathname }) => pathname === '/')
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect((await inbox().latest(email, 'has been deleted')).text).toContain('our last email')
  await page.goto('/login')
  await logIn(page, email)
  await expect(page.getByText('The email or the password is wrong. Please try again.')).toBeVisible()
})
