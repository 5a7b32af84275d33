import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { anAccount, aPurchase, call } from '../customers.ts'
import { ops } from '../operator.ts'
import { startShop } from '../start-shop.ts'
import { ask, expect, expectAccessible, expectNoSidewaysScroll, go, testOutside as test } from './fixtures.ts'
import { aSession } from './operators.ts'

/** What an agent sends to become the agent of the node whose install line this is. */
const enrol = async (line: string): Promise<void> => {
  const { publicKey } = generateKeyPairSync('x25519')
  const body = {
    token: /AGENT_TOKEN=(\S+)/.exec(line)?.[1],
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    secret: randomBytes(32).toString('base64url'),
  }
  await call('POST', '/agent/enrolments', { body })
}

const seen = (page: Page, says: string | RegExp) =>
  expect(page.getByRole('main').getByText(says).first()).toBeVisible()

const next = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('link', { name: `Next: ${title}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/** From the list of all steps. */
const open = (page: Page, title: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title }).getByRole('link').click()

let stop: () => Promise<void> = async () => undefined

test.beforeAll(async () => {
  test.slow()
  // No node of a test can be reached from outside.
  stop = await startShop({ NODE_REACH_CHECK: 'off' })
})

test.afterAll(() => stop())

test('a new shop is set up step by step, begun at a desk and finished on a phone', async ({ page }) => {
  test.slow()
  await page.context().addCookies((await aSession('owner')).state.cookies)
  await page.goto(`${process.env.SHOP_CONSOLE_URL}/`)
  await seen(page, /This shop is not set up yet/)
  await page.getByRole('link', { name: 'Set up', exact: true }).click()
  await expect(page.getByRole('link', { name: /^Continue: / })).toBeVisible()
  await open(page, 'Domain and certificate')
  await seen(page, `${process.env.SHOP_URL}`)
  await next(page, 'Company and brand')
  await seen(page, 'BRAND_COMPANY')

  await next(page, 'Mail')
  await go(
    await ask(page, 'Send a test mail'),
    'Send',
    'The mail server took it: see whether it arrives, and not as spam',
  )
  await expect(page.getByText('never', { exact: true })).toHaveCount(0)
  await next(page, 'Payment gateway')
  await seen(page, `${process.env.SHOP_URL}/api/v1/payment/callback`)

  await next(page, 'First node')
  const add = await ask(page, 'Add a node')
  await add.getByLabel('Name').fill('Leeds')
  await add.getByRole('textbox', { name: 'Endpoint' }).fill('vpn.example.org:51820')
  await add.getByRole('button', { name: 'Add node' }).click()
  await seen(page, 'Leeds waits for its agent')
  const line = page.getByText(/^AGENT_TOKEN=/).first()

  await test.step('is left, and gone on with on a phone, where the line has to be made anew', async () => {
    const shown = await line.textContent()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${process.env.SHOP_CONSOLE_URL}/set-up`)
    await open(page, 'First node')
    await go(
      await ask(page, 'New install line'),
      'Create',
      'The token is shown only once, and enrols one server as this node',
    )
    expect(await line.textContent()).not.toBe(shown)
    await expectNoSidewaysScroll(page)
    await enrol((await line.textContent()) ?? '')
    await seen(page, 'Leeds is up; the shop does not try it from outside')
  })

  await next(page, 'Prices')
  await go(await ask(page, 'Confirm these prices'), 'Confirm', 'The prices are confirmed')
  await next(page, 'Test purchase')
  await seen(page, 'Nobody has bought anything yet')
  await aPurchase(await anAccount())
  const refund = await ask(page, 'Refund')
  await refund.getByLabel('Reason').selectOption({ index: 1 })
  await go(refund, 'Refund', 'Recorded. The shop sends it to the gateway.')
  await seen(page, 'A purchase was paid, and its money went back')

  await next(page, 'Backup')
  await ops('backup', `${process.env.SHOP_DATA_DIR}/first.backup`)
  await expect(page.getByText('never', { exact: true })).toHaveCount(0)
  await next(page, 'Doctor')
  await page.getByRole('button', { name: 'Look at everything' }).click()
  await expect(page.getByText(/^(\d+ problems? to solve|The shop is ready to sell)$/)).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})
