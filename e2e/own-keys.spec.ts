import { readFile } from 'node:fs/promises'
import { generateKeyPair, publicKeyOf } from '@hedgerow/wireguard/keys'
import type { Page } from '@playwright/test'
import { anAccount, aPurchase, type Customer, call, enter } from './customers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, ON_A_PHONE, test } from './fixtures.ts'

/** Everything that a page sends, whoever in it sends it: calls, beacons, streams, sockets. */
const recordSent = async (page: Page) => {
  const sent: Buffer[] = []
  page.context().on('request', async (request) => {
    sent.push(Buffer.from(request.url()), request.postDataBuffer() ?? Buffer.alloc(0))
    sent.push(Buffer.from(JSON.stringify(await request.allHeaders().catch(() => request.headers()))))
  })
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.webSocketCreated', ({ url }) => sent.push(Buffer.from(url)))
  network.on('Network.webSocketFrameSent', ({ response }) => sent.push(Buffer.from(response.payloadData)))
  page.on('console', (message) => sent.push(Buffer.from(message.text())))
  return () => Buffer.concat(sent)
}

/** All that a page has put away in the browser, and what names it there. */
const keptBy = async (page: Page): Promise<Buffer> => {
  const state = await page.context().storageState({ indexedDB: true })
  // As text: the types of these programs know no document.
  const rest: string = await page.evaluate(`(async () => {
    const cached = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        cached.push(request.url, await (await cache.match(request)).text())
    }
    const workers = await navigator.serviceWorker?.getRegistrations()
    const named = performance.getEntries().map(({ name }) => name)
    const here = [history.state, window.name, location.href, document.documentElement.outerHTML]
    return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, cached, workers, here, named])
  })()`)
  return Buffer.from(JSON.stringify(state) + rest)
}

/** Every way in which a key may be written. */
const writtenIn = (key: string): Buffer[] => {
  const raw = Buffer.from(key, 'base64')
  const texts = [
    key.slice(0, -1),
    encodeURIComponent(key),
    raw.toString('base64url'),
    raw.toString('hex'),
    raw.toString('hex').toUpperCase(),
    encodeURIComponent(encodeURIComponent(key)),
    JSON.stringify([...raw]).slice(1, -1),
  ]
  return [raw, ...texts.map((text) => Buffer.from(text)), Buffer.from(btoa(key).slice(0, 40))]
}

const expectWithout = (bytes: Buffer, key: string) =>
  expect(writtenIn(key).filter((written) => bytes.includes(written))).toEqual([])

const publicKeyAtShop = async (customer: Customer): Promise<string> =>
  (await call('GET', '/user/data', customer)).connections.find(
    ({ name }: { name: string }) => name === 'Hedgerow 1',
  ).clientPublicKey

const choose = async (page: Page, maker: string) => {
  await page.getByText('Manage', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Make new keys' }).click()
  const dialog = page.getByRole('dialog', { name: 'New keys for Hedgerow 1' })
  await dialog.getByRole('radio', { name: maker }).check()
  return dialog
}

const keyIn = (file: string) => /^PrivateKey = (\S+)$/m.exec(file)?.[1] ?? ''

test('keys that are made on the device are there once, and their private half is nowhere else', async ({
  page,
}) => {
  const customer = await anAccount()
  await aPurchase(customer)
  await enter(page, customer, '/profile')
  const sent = await recordSent(page)
  const dialog = await choose(page, 'Make them on this device')
  await expect(dialog.getByText('we cannot show it again.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make new keys' }).click()

  await expect(page.getByText('Save the file now: we cannot show it again')).toBeVisible()
  const code = page.getByRole('img', { name: 'QR code of Hedgerow 1' })
  await expect(code).toBeVisible()
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const privateKey = keyIn(file)
  expect(publicKeyOf(privateKey)).toBe(await publicKeyAtShop(customer))
  const mail = page.getByRole('button', { name: 'Get by Email' })
  await expect(mail).toBeDisabled()
  await expect(mail).toHaveAccessibleDescription(/Only you have this connection’s key/)
  await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled()
  // What else the page does with what it holds.
  await page.getByText('File options').first().click()
  await page
    .getByRole('checkbox', { name: /^IPv4 only/ })
    .first()
    .check()
  await expect(code).toBeVisible()
  expectWithout(sent(), privateKey)
  expectWithout(await keptBy(page), privateKey)
  expect(sent().includes(publicKeyOf(privateKey))).toBe(true)

  await page.reload()
  await expect(page.getByText('What to type on the device')).toBeVisible()
  await expect(code).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
  await expect(mail).toHaveAccessibleDescription(/Only you have this connection’s key/)
  expectWithout(await keptBy(page), privateKey)
  await expectAccessible(page)

  const again = await choose(page, 'Make them here in the shop')
  await again.getByRole('button', { name: 'Make new keys' }).click()
  await expect(code).toBeVisible()
  await expect(mail).toBeEnabled()
  expectWithout(sent(), privateKey)
})

test(
  'a router’s own public key brings what to type there, and a file with a place for the private one',
  ON_A_PHONE,
  async ({ page }) => {
    const customer = await anAccount()
    await aPurchase(customer)
    await enter(page, customer, '/profile')
    const dialog = await choose(page, 'I have a key of my own')
    const field = dialog.getByRole('textbox', { name: 'Public key' })
    await field.fill('my router')
    await dialog.getByRole('button', { name: 'Use this key' }).click()
    await expect(dialog.getByText('This is not a public key.')).toBeVisible()
    await expectAccessible(page)
    const { publicKey } = generateKeyPair()
    await field.fill(`  ${publicKey} `)
    await dialog.getByRole('button', { name: 'Use this key' }).click()

    await expect(page.getByRole('button', { name: 'Copy Preshared key of Hedgerow 1' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    expect(await publicKeyAtShop(customer)).toBe(publicKey)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download without the key' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(keyIn(file)).toBe('PUT-YOUR-PRIVATE-KEY-HERE')
  },
)
