import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkIn } from '@hedgerow/testing/mailbox'
import { readQrCode } from '@hedgerow/testing/qr-code'
import { inbox } from './customers.ts'
import {
  clickUntil,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  logIn,
  order,
  payWith,
  signUp,
  test,
  unfoldCodes,
} from './fixtures.ts'

test('a visitor becomes a customer with working connections', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-e2e-files-'))
  try {
    await test.step('the calculator is worked by the keyboard alone', async () => {
      await page.goto('/')
      await expect(page).toHaveTitle(/^Hedgerow – /)
      const total = page.getByRole('status').filter({ hasText: /[€£]\d/ })
      await expect(total).toHaveText('€30.00')
      const days = page.getByRole('spinbutton', { name: 'Days' })
      await clickUntil(
        async () => {
          await days.focus()
          await page.keyboard.press('ControlOrMeta+A')
          await page.keyboard.type('60')
        },
        () => expect(total).toHaveText('€60.00', { timeout: 1000 }),
      )
      await page.getByRole('slider', { name: 'Connections' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await expect(total).toHaveText('€60.20')
      for (const name of ['Advertisement filter', 'Family content filter']) {
        await page.getByRole('switch', { name }).focus()
        await page.keyboard.press('Space')
      }
      await expect(total).toHaveText('€60.24')
      await page.getByRole('radio', { name: /EUR/ }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(total).toHaveText('£60.24')
      await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('GBP')
    })

    let email = ''
    await test.step('an account is opened and confirmed', async () => {
      await page.getByRole('link', { name: 'Log in to buy' }).click()
      await page.waitForURL(/\/login\?redirectUrl=/)
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await page.waitForURL(/\/signup/)
      email = (await signUp(page)).email
      await expect(page.getByText(email).first()).toBeVisible()
      await page.goto(linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/'))
      await page.waitForURL(/\/checkout\//)
      await expect(page.getByRole('button', { name: 'Pay £60.24' })).toBeDisabled()
    })

    await test.step('who logs in comes back to the same choice', async () => {
      const choice = '/calculator?days=60&connections=5&features=feature2,feature4&currency=GBP'
      // On another day, in a browser that has forgotten the session.
      await page.evaluate(() => localStorage.clear())
      await page.goto(choice)
      await expect(page.getByText('£60.24').first()).toBeVisible()
      await page.getByRole('link', { name: 'Log in to buy' }).click()
      await page.waitForURL(/\/login\?redirectUrl=/)
      await logIn(page, email)
      await page.waitForURL(/\/checkout\//)
      await page.goBack()
      await page.waitForURL(({ pathname }) => pathname === '/calculator')
      await expect(page.getByText('£60.24').first()).toBeVisible()
    })

    await test.step('the order shows what will be paid', async () => {
      await order(page)
      await expect(page.getByText('60 days').first()).toBeVisible()
      await expect(page.getByText('Advertisement filter').first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Pay £60.24' })).toBeDisabled()
    })

    await test.step("the bank's page asks, and the payment succeeds", async () => {
      await payWith(page, '4314220000000056')
      await page.waitForURL(/\/acs/)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(/\/payment\/success/)
      await expect(page.getByRole('heading', { name: 'Payment is successful!' })).toBeVisible()
      await expect(page.getByText(/^It works until \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
      await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('£60.24')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.reload()
      await expect(page.getByText(/^It works until /)).toBeVisible()
      await page.getByRole('link', { name: 'Continue' }).click()
    })

    await test.step('the profile shows five connections, the next one whole', async () => {
      await page.waitForURL(/\/profile/)
      await expect(page.getByText(/^Expires:/)).toHaveCount(5)
      await expect(page.getByRole('button', { name: 'Download', exact: true })).toHaveCount(1)
    })

    await test.step('the QR code, the file and the mail carry the same configuration', async () => {
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download', exact: true }).first().click()
      const download = await downloading
      expect(download.suggestedFilename()).toMatch(/^[a-z0-9-]{1,15}\.conf$/)
      const file = join(folder, download.suggestedFilename())
      await download.saveAs(file)
      const config = await readFile(file, 'utf8')
      expect(config).toContain('PersistentKeepalive = 15')
      expect(execFileSync('wg-quick', ['strip', file], { encoding: 'utf8' })).toContain('[Peer]')

      const picture = join(folder, 'qr.png')
      await unfoldCodes(page)
      await page.getByRole('img', { name: /QR/ }).first().screenshot({ path: picture })
      expect(await readQrCode(picture)).toBe(config)

      const mailButton = page.getByRole('button', { name: /Get by Email/ }).first()
      await mailButton.click()
      const mail = await inbox().latest(email, 'Your connection')
      const attached = async (ending: string) => {
        const url = mail.attachments.find(({ filename }) => filename.endsWith(ending))?.url ?? ''
        return Buffer.from(await (await fetch(new URL(url, process.env.SANDBOX_URL))).arrayBuffer())
      }
      expect((await attached('.conf')).toString()).toBe(config)
      const mailedPicture = join(folder, 'mailed.png')
      await writeFile(mailedPicture, await attached('.png'))
      expect(await readQrCode(mailedPicture)).toBe(config)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
