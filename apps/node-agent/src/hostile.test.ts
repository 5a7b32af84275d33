import { endConnectionIn } from '@hedgerow/api/testing/nodes'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { CHECK_IPV4, CHECK_IPV6, PAGE_IPV4, PAGE_IPV6 } from '#network/own-addresses.ts'
import { INTERNET, type Path, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const shop = shopOfFile()
const path = pathOfFile(shop)

type Bought = Awaited<ReturnType<Path['buy']>>

const aConnected = async (): Promise<Bought> => {
  const bought = await path.buy()
  await until(() => bought.device.pings(INTERNET.ipv4)).catch(async (error: Error) => {
    const seen = await Promise.all([
      bought.device.run('wg', 'show', 'all', 'dump'),
      path.node.attempt('wg', 'show', path.interfaceName, 'dump'),
      path.node.attempt('nft', 'list', 'ruleset'),
    ])
    throw new Error([error.message, ...seen.map(({ out }) => out), path.output()].join('\n'))
  })
  return bought
}
const addressesOf = ({ connection }: Bought) =>
  connection.address.split(', ').map((one) => one.split('/')[0] as string) as [string, string]

/** Bytes that a node has got from a customer, and sent. */
const bytesOf = async ({ keys }: Bought) => {
  const lines = (await path.node.run('wg', 'show', path.interfaceName, 'transfer')).split('\n')
  const key = keys[0]?.public_key ?? ''
  return (lines.find((line) => line.startsWith(key)) ?? '').split('\t').slice(1).map(Number)
}

describe('a hostile customer', () => {
  test('sends nothing in the name of another customer', async () => {
    const [ada, eve] = await Promise.all([aConnected(), aConnected()])
    const before = await bytesOf(ada)
    for (const address of addressesOf(ada)) {
      const isIpv6 = address.includes(':')
      await eve.device.run(
        'ip',
        'address',
        'add',
        `${address}/${isIpv6 ? 128 : 32}`,
        'dev',
        'lo',
        ...(isIpv6 ? ['nodad'] : []),
      )
      const to = isIpv6 ? INTERNET.ipv6 : INTERNET.ipv4
      const ping = (from: string) =>
        eve.device
          .run('ping', '-c', '4', '-s', '1000', '-i', '0.2', '-W', '1', '-I', from, to)
          .then(({ code }) => code === 0)
      expect(await ping(address)).toBe(false)
      await until(() => eve.device.pings(to))
    }
    const after = await bytesOf(ada)
    // Less than four answers would be, and more than small ones that were still on their way, handshakes and keepalives.
    expect((after[1] ?? 0) - (before[1] ?? 0)).toBeLessThan(4000)
  })

  test('goes on with an open connection, or any other way, no longer than it is paid for', async () => {
    const eve = await aConnected()
    const read = `require('net').connect(9000, '${INTERNET.ipv4}').resume().setTimeout(3000, () => process.exit())`
    const stream = eve.device.run(process.execPath, '-e', read)
    await until(async () => ((await bytesOf(eve))[1] ?? 0) > 1_000_000)
    await endConnectionIn(shop, eve.connection._id, 1)
    await stream
    await until(async () => !(await eve.device.pings(INTERNET.ipv4)))
    const [ipv4 = ''] = eve.connection.address.split(/[/,]/)
    // And leaves no place taken.
    await until(
      async () =>
        !(await path.node.run('conntrack', '-L', '-s', ipv4)).includes(`src=${ipv4} dst=${INTERNET.ipv4}`),
    )
    expect(await eve.device.pings(INTERNET.ipv6)).toBe(false)
    for (const port of ['80', '9000'])
      expect(
        (await eve.device.run('curl', '-sS', '-m', '2', `http://[${INTERNET.ipv6}]:${port}/`)).out,
      ).not.toContain('the internet')
  })

  test('is shut out with the old key once the new one is used', async () => {
    const eve = await aConnected()
    const { body } = await shop.call('POST', `/api/v1/connections/${eve.connection._id}/keys`, {
      token: eve.customer.token,
    })
    await until(() => path.isCaughtUp())
    await eve.device.use(body)
    await until(() => eve.device.pings(INTERNET.ipv4))
    await until(async () => (await path.holds(eve.keys)) === 2)
    await eve.device.use(eve.connection)
    expect(await eve.device.pings(INTERNET.ipv4)).toBe(false)
  })

  test('reaches nothing of the node but its resolver, and the page that says so at its one port', async () => {
    const eve = await aConnected()
    for (const host of [CHECK_IPV4, CHECK_IPV6]) {
      await until(() => eve.device.connects(host, 80))
      for (const port of ['22', '53', '443', '8080', '9465', '9464', '51820'])
        expect(await eve.device.connects(host, Number(port)), `${host}:${port}`).toBe(port === '53')
    }
    for (const host of [
      eve.connection.dns,
      '198.51.100.7',
      '198.18.0.1',
      '198.18.1.9',
      PAGE_IPV4,
      PAGE_IPV6,
      '198.18.0.11',
      '198.18.1.10',
      '203.0.113.1',
      '127.0.0.1',
      '2001:db8::1',
    ])
      for (const port of ['22', '80', '443', '9465', '9464'])
        expect(await eve.device.connects(host, Number(port)), `${host}:${port}`).toBe(false)
  })
})
