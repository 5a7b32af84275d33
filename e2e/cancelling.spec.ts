import type { Page } from '@playwright/test'
import { anAccount, aPurchase, call, enter, inbox, PASSWORD } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, refuse, test } from './fixtures.ts'
import { letDaysPass, ops } from './operator.ts'

const CONTRACT = 'The one of this morning, for three connections'

const payments = (page: Page) =>
  page
    .getByRole('table', { name: 'Payments' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** Cancels by the dialog that is open; returns the sum that its button named. */
const confirm = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: /^Cancel and get €\d\d\.\d\d back$/ })
  await expect(button).toBeEnabled()
  const sum = (await button.innerText()).match(/€\d+\.\d\d/)?.[0] ?? ''
  for (const words of ['You get back', sum, 'Ends at once', 'This withdraws you from the contract.'])
    await expect(dialog).toContainText(words)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await button.click()
  await expect(dialog.getByText(/^Cancelled on \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
  await expect(dialog).toContainText(`You get ${sum} back`)
  await expectAccessible(page)
  return sum
}

test('a purchase is cancelled from one of its connections, by the keyboard alone', async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  const tickets = page.getByRole('article')
  await expect(tickets).toHaveCount(3)
  const ask = tickets.first().getByRole('button', { name: 'Cancel or withdraw' })
  await ask.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('30 days, 3 connections')
  await expect(page.getByText('You get back')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toBeFocused()
  await expect(tickets.getByText('Expired', { exact: true })).toHaveCount(0)

  await test.step('Escape and Enter in one breath open it again', async () => {
    for (let time = 0; time < 5; time += 1) {
      await page.keyboard.press('Enter')
      await expect(page.getByText('You get back')).toBeVisible()
      await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
      await expect(page.getByText('You get back')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(ask).toBeFocused()
    }
  })

  await page.keyboard.press('Enter')
  const sum = await confirm(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(tickets.getByText('Expired', { exact: true })).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Cancel or withdraw' })).toHaveCount(0)
  for (const { expirationDate } of (await call('GET', '/user/profile', { token: customer.token }))
    .connections)
    expect(new Date(expirationDate).getTime()).toBeLessThanOrEqual(Date.now())

  await test.step('and the payment history says so, with what goes back', async () => {
    await page.getByRole('tab', { name: 'Payment history' }).click()
    await expect(payments(page)).toContainText(/Cancelled on \d\d\/\d\d\/\d{4}/)
    await expect(payments(page)).toContainText(sum)
    await expect(payments(page)).toContainText(/refund/i)
    await expect(payments(page).getByRole('button')).toHaveCount(0)
  })
})

test('a purchase is cancelled from the payment history, and acknowledged by mail', async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile?tab=history')
  const ask = payments(page).getByRole('button', { name: 'Cancel or withdraw' })
  await ask.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()
  await expect(ask).toBeFocused()

  await test.step('the answer is lost on its way', async () => {
    await ask.click()
    await expect(dialog.getByText('You get back')).toBeVisible()
    const url = '**/api/v1/payment/*/cancellation'
    await page.route(url, async (route) => {
      await route.fetch()
      await route.fulfill({ status: 503, body: '' })
    })
    await dialog.getByRole('button', { name: /^Cancel and get/ }).click()
    await expect(dialog.getByRole('alert')).toContainText('We could not confirm the cancellation')
    await page.unroute(url)
  })

  const sum = await confirm(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(payments(page)).toContainText(/Cancelled on/)
  await expect(payments(page).getByText(/^(Partly refunded|Refunded|Refund on its way)/)).toHaveCount(1)
  await expect(ask).toHaveCount(0)
  const mail = await inbox().latest(customer.email, 'You have cancelled: 30 days, 3 connections')
  expect(mail.text).toContain(sum)
  expect(await inbox().list(customer.email, 'You have cancelled')).toHaveLength(1)
})

test('after some days the used part is kept and the password asked; after 14 days it is said why not', async ({
  page,
}) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const { email } = customer
  // Of 30 days, 22 per cent.
  await letDaysPass(email, 6.6)
  await enter(page, customer, '/profile?tab=history')
  await payments(page).getByRole('button', { name: 'Cancel or withdraw' }).click()
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: 'Cancel and get €23.40 back' })
  await expect(button).toBeDisabled()
  const field = dialog.getByLabel('Password', { exact: true })
  await field.fill('another sparrow 8')
  await field.press('Enter')
  await expect(dialog.getByText('The password is wrong')).toBeVisible()
  await expect(field).toHaveValue('another sparrow 8')
  await expectAccessible(page)
  await field.fill(PASSWORD)
  await test.step('it became too late meanwhile', async () => {
    await letDaysPass(email, 9)
    await button.click()
    await expect(dialog).toContainText('This purchase cannot be cancelled')
    await expect(dialog).toContainText('The 14 days in which this could be cancelled ended on')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(payments(page).getByRole('button')).toHaveCount(0)
  })

  await test.step('and is found out by who asks', async () => {
    await page.getByRole('button', { name: 'Look up an older purchase' }).click()
    await expect(dialog).toContainText('The 14 days in which this could be cancelled ended on')
    await page.keyboard.press('Escape')
  })

  await test.step('in time, it is cancelled for the sum', async () => {
    await letDaysPass(email, -9)
    await page.reload()
    await payments(page).getByRole('button', { name: 'Cancel or withdraw' }).click()
    await field.fill(PASSWORD)
    expect(await confirm(page)).toBe('€23.40')
    await page.keyboard.press('Escape')
    await expect(payments(page)).toContainText(/(Partly refunded|Refund on its way) €23\.40/)
  })
})

test('whoever cannot log in withdraws by a form, in two steps, and gets its words by mail', async ({
  page,
}) => {
  const { email } = await anAccount()
  await page.goto('/login')
  await page.getByRole('main').getByRole('link', { name: 'Cancel or withdraw from a contract' }).click()
  await page.waitForURL('/cancel')
  const withdraw = page.getByRole('button', { name: 'Withdraw from contract here' })
  await expect(withdraw).toBeDisabled()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Which contract').fill(CONTRACT)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.reload()
  await expect(page.getByLabel('Which contract')).toHaveValue(CONTRACT)
  await withdraw.click()
  await expect(page.getByRole('heading', { name: 'Your statement' })).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  const confirmIt = page.getByRole('button', { name: 'Confirm withdrawal' })
  await test.step('when it cannot be sent, nothing is lost', async () => {
    const url = '**/api/v1/cancellations'
    await refuse(page, url, 429, 'Please wait a little and try again.')
    await confirmIt.click()
    await expect(page.getByRole('alert')).toContainText('Please wait a little and try again.')
    await page.unroute(url)
  })

  await confirmIt.dblclick()
  await expect(page.getByText(/^Received on \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const mail = await inbox().latest(email, 'We received your cancellation')
  expect(mail.text).toContain(CONTRACT)
  expect(mail.text).toContain('Ada Lovelace')
  const { statements } = JSON.parse(await ops('cancellation', 'list', '--json'))
  expect(statements.filter((one: { email: string }) => one.email === email)).toEqual([
    expect.objectContaining({ contract: CONTRACT }),
  ])
})
