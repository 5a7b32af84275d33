import { aLocation } from '@hedgerow/api/testing/locations'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import type { Connection } from '@hedgerow/contract/connections'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, onTestFinished, test } from 'vitest'
import { INTERNET, type Path, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const SLOW_MS = 120_000
/** A node drops keys as soon as it is told of it. One that is not told asks by itself, every 30 s. */
const CUT_OFF_MS = 25_000

const shop = shopOfFile()
const path = pathOfFile(shop)

type Bought = Awaited<ReturnType<Path['buy']>>

const aConnected = async (): Promise<Bought> => {
  const bought = await path.buy()
  await until(() => bought.device.pings(INTERNET.ipv4))
  return bought
}

const change = async ({ connection, customer }: Bought, end: string, body: unknown): Promise<Connection> => {
  const url = `/api/v1/connections/${connection._id}/${end}`
  const reply = await shop.call('POST', url, { token: customer.token, body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const cutOff = (bought: Bought) => change(bought, 'keys', { cutOffOld: true })

/** For one test: nothing answers there, and what others buy must not go to it. */
const anotherLocation = async (): Promise<string> => {
  const id = await aLocation(shop)
  onTestFinished(async () => {
    await shop.db.updateTable('nodes').set({ removed_at: new Date() }).where('id', '=', id).execute()
  })
  return id
}

/** The node has neither its old keys, nor lets anything through that is sent with them. */
const isCutOff = async ({ keys, device }: Bought) =>
  (await path.holds(keys.slice(0, 1))) === 0 && !(await device.pings(INTERNET.ipv4))

describe('whoever uses keys that were cut off', { timeout: SLOW_MS }, () => {
  test('is out at once, while the new ones and those of others carry on', async () => {
    const [ada, eve] = await Promise.all([aConnected(), aConnected()])
    const fresh = await cutOff(ada)
    await until(async () => (await path.holds(ada.keys.slice(0, 1))) === 0, CUT_OFF_MS)
    expect(await isCutOff(ada)).toBe(true)
    await until(() => eve.device.pings(INTERNET.ipv4))
    await ada.device.use(fresh)
    await until(() => ada.device.pings(INTERNET.ipv4))
    expect(await path.holds(ada.keys)).toBe(2)
  })

  test('is out too where the connection had new keys already that nobody used', async () => {
    const ada = await aConnected()
    const unused = await change(ada, 'keys', undefined)
    await until(() => path.isCaughtUp())
    await until(() => ada.device.pings(INTERNET.ipv4))
    await cutOff(ada)
    await until(async () => (await path.holds(ada.keys.slice(0, 1))) === 0, CUT_OFF_MS)
    expect(await isCutOff(ada)).toBe(true)
    await ada.device.use(unused)
    expect(await ada.device.pings(INTERNET.ipv4)).toBe(false)
  })

  test('is out too where the connection has moved to another location', async () => {
    const ada = await aConnected()
    await change(ada, 'location', { location: await anotherLocation() })
    await until(() => path.isCaughtUp())
    await until(() => ada.device.pings(INTERNET.ipv4))
    await cutOff(ada)
    await until(async () => (await path.holds(ada.keys.slice(0, 1))) === 0, CUT_OFF_MS)
    expect(await isCutOff(ada)).toBe(true)
  })

  test('is out as soon as the node reaches the shop again', async () => {
    const ada = await aConnected()
    await path.plug('down')
    const fresh = await cutOff(ada)
    await until(() => ada.device.pings(INTERNET.ipv4))
    await path.plug('up')
    await until(() => isCutOff(ada), SLOW_MS)
    await ada.device.use(fresh)
    await until(() => ada.device.pings(INTERNET.ipv4))
  })

  test('is out as soon as an agent that was dead is back', async () => {
    const ada = await aConnected()
    const start = await path.stopAgent()
    await cutOff(ada)
    expect(await path.holds(ada.keys)).toBe(3)
    start()
    await until(() => isCutOff(ada), SLOW_MS)
  })
})
