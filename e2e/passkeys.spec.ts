import type { CDPSession, Page } from '@playwright/test'
import { aCustomer, anAccount, call, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, takenOver, test } from './fixtures.ts'

type Device = {
  cdp: CDPSession
  id: string
  /** How many passkeys it holds. */
  count: () => Promise<number>
}

const BUILT_IN = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A device that makes passkeys and answers by them at once, in the place of a fingerprint reader. */
const aDevice = async (page: Page, more: object = {}): Promise<Device> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...BUILT_IN, ...more },
  })
  return {
    cdp,
    id,
    count: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials.length,
  }
}

const LOG_IN = 'Log in with a passkey'

const addPasskey = async (page: Page) => {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Your passkey has been added')).toBeVisible()
}

const logOut = async (page: Page) => {
  await page.goto('/')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
}

const pressLogIn = async (page: Page) => {
  await page.goto('/login')
  await takenOver(page)
  await page.getByRole('button', { name: LOG_IN }).click()
}

test('a removed passkey that the device still holds is refused, and then forgotten', async ({ page }) => {
  const device = await aDevice(page)
  const customer = await anAccount()
  await enter(page, customer, '/profile/security')
  await addPasskey(page)
  // As if it was removed on another device, which cannot tell this one.
  const { passkeys } = await call('GET', '/user/security', customer)
  await call('DELETE', `/user/passkeys/${passkeys[0]._id}`, customer)
  expect(await device.count()).toBe(1)
  await logOut(page)
  await pressLogIn(page)
  await expect(page.getByRole('alert')).toContainText('This passkey no longer opens an account')
  await expect.poll(device.count).toBe(0)
})

test('a passkey is added, renamed, logs in and is removed, by the keyboard alone', async ({ page }) => {
  const device = await aDevice(page)
  await aCustomer(page, '/profile/security')
  await page.getByRole('button', { name: 'Add a passkey' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your passkey has been added')).toBeVisible()
  const another = page.getByRole('button', { name: 'Add another passkey' })
  await expect(another).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await test.step('the same device makes no second', async () => {
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('This device already has a passkey for your account.')
    expect(await device.count()).toBe(1)
    await another.focus()
  })

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: /^Rename / })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('The blue key')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Renamed to The blue key')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename The blue key' })).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Remove The blue key' })).toBeFocused()

  await logOut(page)
  await page.goto('/login')
  await takenOver(page)
  await page.getByRole('link', { name: 'Forgot password?' }).focus()
  // Continue is disabled while there is nothing to send, and passed over.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: LOG_IN })).toBeFocused()

  await test.step('the finger of another person lets no one in', async () => {
    const verify = (isUserVerified: boolean) =>
      device.cdp.send('WebAuthn.setUserVerified', { authenticatorId: device.id, isUserVerified })
    await verify(false)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('No passkey was used')
    await expect(page.getByRole('button', { name: LOG_IN })).toBeFocused()
    await verify(true)
  })

  await page.keyboard.press('Enter')
  await page.waitForURL(/\/profile/)
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Remove The blue key' }).focus()
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your passkey has been removed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
  // The browser knows, and stops offering it.
  await expect.poll(device.count).toBe(0)
})

test('as the second step, too, the question is taken back, and a recovery code logs in', async ({ page }) => {
  const device = await aDevice(page)
  const customer = await anAccount()
  await enter(page, customer, '/profile/security')
  await addPasskey(page)
  const { recoveryCodes } = await call('PUT', '/user/second-step', { ...customer, body: { isOn: true } })
  const simulate = (enabled: boolean) =>
    device.cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: device.id, enabled })
  await simulate(false)
  await logOut(page)
  await page.goto('/login')
  await logIn(page, customer.email)
  const use = page.getByRole('button', { name: 'Use a passkey' })
  await use.click()
  await expect(page.getByText('Waiting for your passkey')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(use).toBeFocused()
  await expect(page.getByRole('alert')).toBeHidden()
  await page.getByLabel('Code', { exact: true }).fill(recoveryCodes[0])
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL(/\/profile/)
})
