import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { anAccount, aPurchase, call, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test, unfold } from './fixtures.ts'

const tickets = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Download' }) })
test('on a phone a ticket is added there, and its code folds away', ON_A_PHONE, async ({ page }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  const first = tickets(page).first()
  const code = first.getByRole('img', { name: /^QR code of/ })
  await expect(first.getByRole('link', { name: 'Google Play' })).toHaveAttribute(
    'href',
    /com\.wireguard\.android$/,
  )
  await expect(code).toHaveCount(0)
  await expectAccessible(page)

  const downloading = page.waitForEvent('download')
  await first.getByRole('button', { name: 'Add to this phone' }).click()
  expect((await downloading).suggestedFilename()).toBe('hedgerow-1.conf')
  await expect(page.getByText('Saved hedgerow-1.conf')).toBeVisible()

  await first.getByText('For another device').click()
  await expect(code).toHaveAttribute('width', '250')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('at a desk codes wait for Show where that is chosen, and all are downloaded at once', async ({
  page,
}) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  await unfold(page, 'Hedgerow 2')
  const codes = page.getByRole('img', { name: /^QR code of/ })
  await expect(codes).toHaveCount(2)
  await page.getByRole('switch', { name: 'Hide codes until I press Show' }).click()
  await expect(codes).toHaveCount(0)
  await page.reload()
  await expect(tickets(page)).toHaveCount(1)
  await expect(codes).toHaveCount(0)
  await expectAccessible(page)
  await unfold(page, 'Hedgerow 2')
  await page.getByRole('button', { name: 'Show the QR code of Hedgerow 2' }).click()
  await expect(codes).toHaveCount(1)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('connections.zip')
  const zip = await readFile(await download.path(), 'latin1')
  // The configurations are not packed.
  expect(zip.match(/PrivateKey = /g)).toHaveLength(3)
  for (const n of [1, 2, 3]) expect(zip).toContain(`hedgerow-${n}.conf`)
})

const DAY_MS = 86_400_000
const clockOf = (timeZone: string, at: string | number) => {
  const [day, time] = new Date(at)
    .toLocaleString('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .split(', ')
  return { day: day ?? '', time: `${day} ${time}` }
}

test('customers elsewhere see their own clock', async ({ browser }) => {
  const customer = await anAccount()
  await aPurchase(customer)
  const [connection] = (await call('GET', '/user/profile', customer)).connections
  const [payment] = await call('GET', '/payment/history', customer)
  for (const timezoneId of ['Asia/Tokyo', 'America/Los_Angeles']) {
    const page = await browser.newPage({ timezoneId, baseURL: process.env.SHOP_URL })
    const inZone = (at: string | number) => clockOf(timezoneId, at)
    await enter(page, customer, '/profile')
    await expect(page.getByText(`Expires: ${inZone(connection.expirationDate).time}`).first()).toBeVisible()
    await page.getByRole('tab', { name: 'Payment history' }).click()
    await expect(page.getByText(inZone(payment.createdAt).time).first()).toBeVisible()
    // Another day may begin there between the two.
    await expect(async () => {
      await page.goto('/calculator')
      const { day } = inZone(Date.now() + 30 * DAY_MS)
      await expect(page.getByText(`Works until ${day} if you pay today.`)).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await page.close()
  }
})
