import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkIn } from '@hedgerow/testing/mailbox'
import { readQrCode } from '@hedgerow/testing/qr-code'
import { until } from '@hedgerow/testing/until'
import { expect, test } from '@playwright/test'
import { isThere } from '../scripts/browser.ts'
import { BROWSERS, type Setup } from './browsers/start-browser.ts'
import { type Change, walkIn } from './browsers/walk.ts'
import { call, inbox, newEmail, PASSWORD } from './customers.ts'

const PHONE = { width: 360, height: 740 }
const DESK = { width: 1440, height: 900 }

/** A card about which the bank asks. */
const ASKED_ABOUT = '4314220000000056'

/** From the first page to a connection in the app: links, buttons, boxes and choices from a list. */
const MOST_PRESSES = 12

type Way = Omit<Setup, 'folder'> & { changes?: Change[]; customer?: string }

const WAYS: Record<string, Way> = {
  'on a phone, light': { size: PHONE, scheme: 'light' },
  'on a phone, dark': { size: PHONE, scheme: 'dark' },
  'at a desk, light': { size: DESK, scheme: 'light' },
  'at a desk, dark': { size: DESK, scheme: 'dark' },
  'on a phone, translated': { size: PHONE, scheme: 'light', changes: ['translated'] },
  'on a phone, with text twice as large': { size: PHONE, scheme: 'light', changes: ['enlarged'] },
  'on a phone, in a contrast theme': { size: PHONE, scheme: 'light', hasContrastTheme: true },
  'on a phone, by a name from right to left': { size: PHONE, scheme: 'light', customer: 'ليلى حسن' },
}

for (const [name, { start, tools, hasContrastThemes }] of Object.entries(BROWSERS)) {
  if (!tools.every(isThere)) continue
  for (const [how, { changes = [], customer = 'Ada Lovelace', ...setup }] of Object.entries(WAYS)) {
    if (setup.hasContrastTheme && !hasContrastThemes) continue
    test(`${name}: from the first page to a connection, ${how}`, async () => {
      test.setTimeout(240_000)
      const folder = await mkdtemp(join(tmpdir(), 'hedgerow-walk-'))
      const browser = await start({ ...setup, folder })
      const walk = walkIn(browser, changes)
      const look = async (page: string) => {
        expect(await browser.run('return innerWidth'), 'The window').toBe(setup.size.width)
        await expect
          .poll(() => browser.run('return document.documentElement.scrollWidth - innerWidth'), page)
          .toBeLessThanOrEqual(0)
        await writeFile(test.info().outputPath(`${page}.png`), await browser.picture())
      }
      try {
        await test.step('a week is chosen', async () => {
          await walk.opens(`${process.env.SHOP_URL}/`)
          await look('home')
          await walk.press('main a', 'Get Vpn')
          await walk.pressUntil('button', 'a week', { selector: 'output', words: '€7.00' })
          await look('calculator')
          await walk.press('main a', 'Sign up to buy')
        })

        const email = newEmail()
        await test.step('an account is opened, and confirmed by the link in the mail', async () => {
          await walk.at(/^\/signup/)
          await walk.type('name', customer)
          await walk.type('email', email)
          await walk.type('signupPassword', PASSWORD)
          await walk.press('[name="acceptTerms"]')
          await look('sign-up')
          await walk.press('button', 'Continue')
          await walk.at(/^\/confirm/)
          await look('confirm')
          await walk.opens(linkIn(await inbox().latest(email, 'Confirm your email'), '/confirm/'))
        })

        const { access_token: token } =
          await test.step('the card is charged after the bank has asked', async () => {
            await walk.at(/^\/checkout\//)
            await walk.type('pan', ASKED_ABOUT)
            await walk.type('card_holder', 'ADA LOVELACE')
            await walk.press('[name="month"] option', '12')
            await walk.press('[name="year"] option:last-child')
            await walk.type('cvv', '123')
            await walk.press('[name="acceptTerms"]')
            await look('checkout')
            await walk.press('button', 'Pay €7.00')
            await walk.at(/\/acs/)
            await walk.press('button', 'Approve')
            await walk.at(/^\/payment\/success/)
            return call('POST', '/user/login', { body: { username: email, password: PASSWORD } })
          })

        await test.step('the file and the code carry the connection', async () => {
          await walk.press('main button', 'Download')
          await look('success')
          const file = await until(async () =>
            (await readdir(folder, { recursive: true })).find((path) => path.endsWith('.conf')),
          )
          const config = await readFile(join(folder, file), 'utf8')
          expect(config).toContain('[Interface]')
          const picture = test.info().outputPath('code.png')
          // A browser may draw what has come into view a moment later.
          const code = await until(async () => {
            await writeFile(picture, await walk.picture('[role="img"][aria-label^="QR"]'))
            return readQrCode(picture)
          })
          expect(code).toBe(config)
          const [order] = await call('GET', '/orders', { token })
          expect(order).toMatchObject({ days: 7, total: 7, status: 'Completed' })
        })

        await test.step('the profile has it', async () => {
          await walk.opens(`${process.env.SHOP_URL}/profile`)
          await walk.find('main button', 'Download')
          await look('profile')
        })
        test.info().annotations.push({ type: 'presses', description: String(walk.presses) })
        expect(walk.presses).toBeLessThanOrEqual(MOST_PRESSES)
      } catch (error) {
        await writeFile(test.info().outputPath('failed.png'), await browser.picture())
        throw error
      } finally {
        await browser.close()
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
}
