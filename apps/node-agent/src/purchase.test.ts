import { endConnectionIn } from '@hedgerow/api/testing/nodes'
import { connectionsOf } from '@hedgerow/api/testing/payments'
import { refundAtGateway } from '@hedgerow/api/testing/refunds'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { inForm } from '@hedgerow/domain/file-form'
import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { INTERNET, type Path, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const MBIT = 20
const SLOW_MS = 120_000
const shop = shopOfFile()
const path = pathOfFile(shop, { AGENT_BANDWIDTH: String(MBIT) })

type Bought = Awaited<ReturnType<Path['buy']>>

/** A customer whose device is connected. */
const aConnected = async (choice: Parameters<Path['buy']>[0] = {}): Promise<Bought> => {
  const bought = await path.buy(choice)
  await until(() => bought.device.pings(INTERNET.ipv4))
  return bought
}

const endIn = ({ connection }: Bought, seconds: number, daysAgo = 0) =>
  endConnectionIn(shop, connection._id, seconds, daysAgo)

const addressesOf = ({ connection }: Bought) =>
  connection.address.split(', ').map((one) => one.split('/')[0] as string)

describe('what is bought in the shop', { timeout: SLOW_MS }, () => {
  test('carries IPv4 and IPv6 through the node, and nobody to another customer', async () => {
    const [ada, eve] = await Promise.all([aConnected(), aConnected()])
    await until(() => ada.device.pings(INTERNET.ipv6))
    expect(await ada.device.handshake()).toBeGreaterThan(0)
    expect(await ada.device.fetch(`http://${INTERNET.ipv4}/`)).toBe('the internet')
    for (const address of addressesOf(eve)) expect(await ada.device.pings(address)).toBe(false)
    // The node says so by a name that only its resolver knows, with its own name and nothing of who asks.
    const found = `${CHECK_HOST}:80:${await ada.device.ask(CHECK_HOST)}`
    const check = await ada.device.fetch(`http://${CHECK_HOST}/json`, '--resolve', found)
    expect(JSON.parse(check)).toEqual({ connected: true, place: expect.any(String), dns: true })
    // The profile learns that it is used, and no more.
    await until(async () => (await ada.profile())[0]?.status === 'connected')
    const statuses = (await ada.profile()).map(({ status }) => status)
    expect(statuses).toEqual(['connected', 'never-connected', 'never-connected'])
  })

  test('is asked for names through the tunnel, although a hotel has all of 10.0.0.0/8', async () => {
    const { connection } = await path.buy({ features: { feature2: true } })
    const computer = await path.computer(connection)
    expect(await computer.up(connection)).toMatchObject({ code: 0 })
    await until(async () => (await computer.ask('update.example.com')) === INTERNET.ipv4)
    await until(async () => (await computer.ask('ads.example.com')) === 'NXDOMAIN')
    await until(() => computer.pings(INTERNET.ipv6))
  })

  test('has a file for devices without IPv6, which wg-quick takes there', async () => {
    const { connection } = await path.buy()
    const computer = await path.computer(connection)
    for (const which of ['all', 'default'])
      await computer.run('sysctl', '-w', `net.ipv6.conf.${which}.disable_ipv6=1`)
    expect(await computer.up(connection)).not.toMatchObject({ code: 0 })
    expect(await computer.up(inForm(connection, ['ipv4-only']))).toMatchObject({ code: 0 })
    await until(async () => (await computer.ask('update.example.com')) === INTERNET.ipv4)
    await until(() => computer.pings(INTERNET.ipv4))
  })

  test('has a file that leaves the home network in reach, with which wg-quick reaches the internet by IPv4 and IPv6', async () => {
    const { connection } = await path.buy()
    const computer = await path.computer(connection)
    const config = inForm(connection, ['without-home', 'small-packets'])
    expect(await computer.up(config)).toMatchObject({ code: 0 })
    await until(async () => (await computer.ask('update.example.com')) === INTERNET.ipv4)
    await until(() => computer.pings(INTERNET.ipv4))
    await until(() => computer.pings(INTERNET.ipv6))
  })

  test('filters for whom it was bought, and is switched in the profile without touching the device', async () => {
    const [ada, eve] = await Promise.all([aConnected({ features: { feature2: true } }), aConnected()])
    const set = async (feature2: boolean) => {
      const { token } = ada.customer
      const reply = await shop.call('PUT', `/api/v1/connections/${ada.connection._id}`, {
        token,
        body: { filters: { feature2 } },
      })
      expect(reply.status).toBe(200)
    }
    const isAnswered = (who: Bought, name: string, answer: string) =>
      until(async () => (await who.device.ask(name)) === answer)
    await isAnswered(eve, 'ads.example.com', INTERNET.ipv4)
    await isAnswered(ada, 'ads.example.com', 'NXDOMAIN')
    expect(await ada.device.ask('sub.tracker.example.net')).toBe('NXDOMAIN')
    expect(await ada.device.ask('ads.example.com', '8.8.8.8')).toBe('NXDOMAIN')
    expect(await ada.device.ask('update.example.com')).toBe(INTERNET.ipv4)
    await set(false)
    await isAnswered(ada, 'ads.example.com', INTERNET.ipv4)
    await set(true)
    await isAnswered(ada, 'ads.example.com', 'NXDOMAIN')
    expect(await eve.device.ask('ads.example.com')).toBe(INTERNET.ipv4)
  })

  test('has its share first where priority was bought, when the link is full', async () => {
    const [ada, eve] = await Promise.all([aConnected({ features: { feature1: true } }), aConnected()])
    const fill = ({ device }: Bought) => device.downloads(INTERNET.ipv4, 9000, 1)
    // A busy machine may let one of the two begin late.
    await until(async () => {
      const [priority, normal] = await Promise.all([fill(ada), fill(eve)])
      console.info(`${MBIT} Mbit/s are full: priority ${priority} Mbit/s, normal ${normal} Mbit/s`)
      expect(normal).toBeGreaterThan(0)
      expect(priority).toBeGreaterThan(1.5 * normal)
      return true
    })
  })

  test('leads only to a page that explains when it has expired, and leaves the node after its grace', async () => {
    const ada = await aConnected()
    await endIn(ada, 1)
    await until(async () => !(await ada.device.pings(INTERNET.ipv4)))
    expect(await ada.device.pings(INTERNET.ipv6)).toBe(false)
    const page = await until(async () => {
      const text = await ada.device.fetch('http://update.example.com/anything')
      return text.includes('has expired') && text
    })
    expect(page).toContain(shop.url)
    expect(await path.holds(ada.keys)).toBe(3)
    // Its days of grace end in a moment.
    await endIn(ada, 1, 3)
    await until(async () => (await path.holds(ada.keys)) === 2)
  })

  test('goes from the node at once when it is refunded', async () => {
    const ada = await aConnected()
    await refundAtGateway(shop, ada.paymentId)
    await until(async () => (await path.holds(ada.keys)) === 0)
    expect(await ada.device.pings(INTERNET.ipv4)).toBe(false)
  })

  test('gets new keys, and the old ones work until the new are used', async () => {
    const ada = await aConnected()
    const { body } = await shop.call('POST', `/api/v1/connections/${ada.connection._id}/keys`, {
      token: ada.customer.token,
    })
    await until(() => path.isCaughtUp())
    await until(() => ada.device.pings(INTERNET.ipv4))
    await ada.device.use(body)
    await until(() => ada.device.pings(INTERNET.ipv4))
    await until(async () => (await path.holds(ada.keys)) === 2)
    expect(await path.holds(await connectionsOf(shop, ada.paymentId))).toBe(3)
  })
})

describe('a node', { timeout: SLOW_MS }, () => {
  test('is back by itself after its agent was killed, and after its interface was deleted', async () => {
    const ada = await aConnected()
    await path.restartAgent()
    await until(() => ada.device.pings(INTERNET.ipv4))
    await path.node.run('ip', 'link', 'delete', path.interfaceName)
    await until(async () => (await path.holds(ada.keys)) === 3)
    await until(() => ada.device.pings(INTERNET.ipv4))
  })

  test('goes on while the shop is out of reach, ends what ends, and learns the rest afterwards', async () => {
    const [ada, ben] = [await aConnected(), await aConnected()]
    await endIn(ada, 6)
    await until(() => path.isCaughtUp())
    await path.plug('down')
    await until(() => ben.device.pings(INTERNET.ipv4))
    const eve = await path.buy()
    await until(async () => !(await ada.device.pings(INTERNET.ipv4)))
    expect(await path.holds(ada.keys)).toBe(3)
    expect(await path.holds(eve.keys)).toBe(0)
    await path.plug('up')
    await until(async () => (await path.holds(eve.keys)) === 3, SLOW_MS)
  })
})
