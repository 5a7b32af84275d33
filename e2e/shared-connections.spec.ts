import { anAccount, aPurchase, enter } from './customers.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  ON_A_PHONE,
  test,
  unfoldCodes,
} from './fixtures.ts'

test('a connection is shared by a link, and the link withdrawn', ON_A_PHONE, async ({ page, browser }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  const ticket = page.getByRole('article').first()
  const name = (await ticket.getByRole('heading').innerText()).trim()
  await ticket.getByRole('button', { name: 'Share' }).click()
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
