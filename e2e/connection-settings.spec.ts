import type { Page } from '@playwright/test'
import { aCustomer, anAccount, aPurchase, call, enter, inbox } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, refuse, test, unfoldCodes } from './fixtures.ts'

const ADS = 'Advertisement filter'

const ticketOf = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** The profile of a customer who has bought the advertisement filter; the names of what they have. */
const openProfile = async (page: Page) => {
  const customer = await anAccount()
  await aPurchase(customer, { features: { feature2: true }, total: 30.03 })
  await enter(page, customer, '/profile')
  await expect(page.getByRole('article')).toHaveCount(3)
  const { connections } = await call('GET', '/user/profile', { token: customer.token })
  const [first] = connections
  return { customer, name: first.name as string, ticket: ticketOf(page, first.name) }
}

const firstOf = async ({ token }: { token: string }) =>
  (await call('GET', '/user/profile', { token })).connections[0]

test('a connection is renamed, and its file with it', async ({ page }) => {
  const { ticket, name } = await openProfile(page)
  await ticket.getByText('Manage').click()
  const field = ticket.getByLabel('Name', { exact: true })
  await field.fill('Kitchen tablet')
  await ticket.getByRole('button', { name: 'Rename' }).click()
  const renamed = ticketOf(page, 'Kitchen tablet')
  await expect(renamed).toBeVisible()
  await expect(ticketOf(page, name)).toHaveCount(0)
  await expect(renamed.getByLabel('Name', { exact: true })).toBeFocused()
  const download = page.waitForEvent('download')
  await renamed.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('kitchen-tablet.conf')
  await page.reload()
  await expect(ticketOf(page, 'Kitchen tablet')).toBeVisible()
  await ticketOf(page, 'Kitchen tablet').getByText('Manage').click()
  await expect(ticketOf(page, 'Kitchen tablet').getByText('Share this connection')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('a bought filter is switched at once, by keyboard too, and stays so', async ({ page }) => {
  const { customer, ticket } = await openProfile(page)
  const ads = ticket.getByRole('switch', { name: ADS })
  await expect(ads).toBeChecked()
  await expect(ticket.getByRole('switch')).toHaveCount(1)
  await expect(ticket.getByText(/^Not included: priority bandwidth,/)).toBeVisible()
  await ads.focus()
  await page.keyboard.press('Space')
  await expect(ads).not.toBeChecked()
  await expect.poll(async () => (await firstOf(customer)).filters.feature2).toBe(false)
  await page.reload()
  await expect(ticket.getByRole('switch', { name: ADS })).not.toBeChecked()

  await test.step('and goes back where the server refuses', async () => {
    await refuse(page, '**/api/v1/connections/*', 503, 'We cannot answer right now.')
    await ticket.getByText(ADS, { exact: true }).click()
    await expect(ticket.getByRole('alert')).toContainText('We cannot answer right now.')
    await expect(ticket.getByRole('switch', { name: ADS })).not.toBeChecked()
  })
})

test('new keys are made once it is said what happens, and bring a new code and a mail', async ({ page }) => {
  const { customer, ticket, name } = await openProfile(page)
  const before = await firstOf(customer)
  const code = () => ticket.getByRole('img', { name: /^QR code of/ }).innerHTML()
  await unfoldCodes(page)
  const oldCode = await code()
  await ticket.getByText('Manage').click()
  const makes = ticket.getByRole('button', { name: 'Make new keys' })
  await makes.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('for a day at most')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(makes).toBeFocused()
  expect((await firstOf(customer)).address).toBe(before.address)

  await makes.click()
  await dialog.getByRole('button', { name: 'Make new keys' }).click()
  const notice = ticket.getByText(
    'Scan this code again on your device. The old one works until you do, for a day at most.',
  )
  await expect(notice).toBeInViewport()
  await expect(dialog).toBeHidden()
  expect(await code()).not.toBe(oldCode)
  const after = await firstOf(customer)
  expect(after.address).not.toBe(before.address)
  expect(after.name).toBe(name)
  const mail = await inbox().latest(customer.email, `${name} has new keys`)
  expect(mail.attachments).toEqual([])
  await expectNoSidewaysScroll(page)
})

test('new keys cut the old ones off where that is chosen, and end the link', async ({ page }) => {
  const { customer, ticket, name } = await openProfile(page)
  await ticket.getByText('Manage').click()
  await ticket.getByRole('button', { name: 'Create a link' }).click()
  const link = await ticket.getByLabel('Link', { exact: true }).inputValue()
  await expect(ticket.getByText(/It ends \d\d\/\d\d\/\d{4} \d\d:\d\d, 7 days left/)).toBeVisible()
  const told = await inbox().latest(customer.email, 'A link to your connection was created')
  expect(told.text).toContain(name)

  await ticket.getByRole('button', { name: 'Make new keys' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Its link ends')
  await dialog.getByLabel(/^Cut off the old keys now/).check()
  await expect(dialog).toContainText('cut off within seconds')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await dialog.getByRole('button', { name: 'Make new keys' }).click()
  await expect(ticket.getByText('Scan this code on your device. The old one is cut off.')).toBeInViewport()
  await expect(ticket.getByRole('button', { name: 'Create a link' })).toBeVisible()
  expect((await inbox().latest(customer.email, `${name} has new keys`)).text).toContain('are cut off')

  await page.goto('/robots.txt')
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This link has ended')
  await expect(page.getByRole('alert')).toContainText('Ask whoever gave it to you for a new one')
  await expectAccessible(page)
})

test('a connection is shared by a link, and the link revoked', async ({ page, browser }) => {
  const { ticket, name } = await openProfile(page)
  await ticket.getByText('Manage').click()
  await ticket.getByRole('button', { name: 'Create a link' }).click()
  const link = await ticket.getByLabel('Link', { exact: true }).inputValue()
  expect(link).toMatch(/\/shared#[\w-]{43}$/)
  await expectNoSidewaysScroll(page)

  const context = await browser.newContext({ viewport: page.viewportSize() })
  const asked: string[] = []
  const other = await context.newPage()
  other.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
  await other.goto(link)
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(other.getByText(/^Expires: \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
  await unfoldCodes(other)
  await expect(other.getByRole('img', { name: `QR code of ${name}` })).toHaveAttribute('width', '250')
  const download = other.waitForEvent('download')
  await other.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.conf$/)
  await expect(other).toHaveURL(/\/shared$/)
  await expect(other.getByText(/The link ends .*, 7 days left/)).toBeVisible()
  await expect(other.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  expect(asked.filter((line) => line.includes(link.split('#')[1] ?? ''))).toEqual([])
  await expectNoSidewaysScroll(other)
  await expectAccessible(other)

  await ticket.getByRole('button', { name: 'Withdraw the link' }).click()
  await expect(ticket.getByRole('button', { name: 'Create a link' })).toBeFocused()
  await other.goto('/robots.txt')
  await other.goto(link)
  await expect(other.getByRole('alert')).toContainText('This link has ended')
  await expect(other.getByRole('img', { name: /QR code/ })).toHaveCount(0)
  await context.close()
})

test('a link without its last part is told to be not complete', async ({ page }) => {
  await aCustomer(page, '/shared')
  await expect(page.getByText('The link is incomplete')).toBeVisible()
  await expectAccessible(page)
})
