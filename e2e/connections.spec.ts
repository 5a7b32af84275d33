import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { aCustomer, anAccount, aPurchase, enter } from './customers.ts'
import {
  ANY_WIDTH,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE_ONLY,
  refuse,
  test,
} from './fixtures.ts'

const tickets = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Download' }) })
const buttons = (page: Page, position: number) => ({
  mail: tickets(page).nth(position).getByRole('button', { name: 'Get by Email' }),
  download: tickets(page).nth(position).getByRole('button', { name: 'Download' }),
})

test(
  'a mail locks both buttons of its connection for two seconds, and of no other',
  ANY_WIDTH,
  async ({ page }) => {
    const customer = await anAccount()
    await aPurchase(customer)
    await enter(page, customer, '/profile')
    await expect(tickets(page)).toHaveCount(3)
    const [first, second] = [buttons(page, 0), buttons(page, 1)]

    const code = tickets(page)
      .first()
      .getByRole('img', { name: /^QR code of/ })
    await expect(code).toHaveAttribute('width', '250')
    await expect(code).toHaveAttribute('height', '250')
    await expect(
      tickets(page)
        .first()
        .getByText(/^Expires: \d\d\/\d\d\/\d{4} \d\d:\d\d$/),
    ).toBeVisible()
    await expect(tickets(page).first().getByRole('link', { name: 'Buy more' })).toHaveAttribute(
      'href',
      /^\/products\?renew=[\da-f-]{36}$/,
    )

    const pressedAt = Date.now()
    await first.mail.click()
    await expect(first.mail).toBeDisabled()
    await expect(first.download).toBeDisabled()
    await expect(second.mail).toBeEnabled()
    await expect(first.download).toBeEnabled()
    expect(Date.now() - pressedAt).toBeGreaterThan(1950)
    await expect(first.mail).toBeEnabled()

    await test.step('also where the mail is not sent', async () => {
      await refuse(page, '**/api/v1/user/mail/connection/*', 429, 'Too many attempts.')
      await second.mail.click()
      await expect(page.getByText('Too many attempts.')).toBeVisible()
      await expect(second.mail).toBeDisabled()
      await expect(second.mail).toBeEnabled()
    })

    await test.step('an expired connection has none to press, and says when it ended', async () => {
      await page.route('**/api/v1/user/profile', async (route) => {
        const reply = await route.fetch()
        const profile = await reply.json()
        profile.connections[0].expirationDate = '2025-03-02T14:05:00.000Z'
        await route.fulfill({ response: reply, json: profile })
      })
      await page.reload()
      const expired = tickets(page).filter({ hasText: 'Expired: 02/03/2025 14:05' })
      await expect(expired).toHaveCount(1)
      await expect(expired.getByRole('button', { name: 'Get by Email' })).toBeDisabled()
      await expect(expired.getByRole('button', { name: 'Download' })).toBeDisabled()
      await expect(expired.getByRole('link', { name: 'Buy more' })).toBeVisible()
      await expect(tickets(page).filter({ hasText: 'Expires:' })).toHaveCount(2)
      await expectAccessible(page)
    })
  },
)

test('on a phone a ticket is added there, and its code folds away', PHONE_ONLY, async ({ page }) => {
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

test(
  'at a desk codes wait for Show where that is chosen, and all are downloaded at once',
  ANY_WIDTH,
  async ({ page }) => {
    const customer = await anAccount()
    await aPurchase(customer)
    await enter(page, customer, '/profile')
    const codes = page.getByRole('img', { name: /^QR code of/ })
    await expect(codes).toHaveCount(3)
    await page.getByRole('switch', { name: 'Hide codes until I press Show' }).click()
    await expect(codes).toHaveCount(0)
    await page.reload()
    await expect(tickets(page)).toHaveCount(3)
    await expect(codes).toHaveCount(0)
    await expectAccessible(page)
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
  },
)

test('who has no connection is led to the prices', ANY_WIDTH, async ({ page }) => {
  await aCustomer(page, '/profile')
  const main = page.getByRole('main')
  await expect(main.getByText('Please choose your price plan to use our service.')).toBeVisible()
  await main.getByRole('link', { name: 'See the prices' }).click()
  await page.waitForURL(/\/products$/)
})
