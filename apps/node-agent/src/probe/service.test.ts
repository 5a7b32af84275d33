import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const shop = shopOfFile()
const path = pathOfFile(shop, { AGENT_PROBE_URL: 'http://www.example.com/large' })

const isSold = async (): Promise<boolean> =>
  (await shop.call('GET', '/api/v1/locations')).body.some(({ name }: { name: string }) => name === path.name)

const says = (text: string) => until(async () => ((await path.row()).faults ?? '').includes(text))
const isWell = () => until(async () => (await path.row()).faults === '')

const nft = (text: string) => path.node.run('nft', text)

/** What an administrator's firewall has beside the agent's rules. */
const withFirewall = async (hook: string, rule: string, work: () => Promise<void>): Promise<void> => {
  await nft(
    `add table inet other; add chain inet other one { type filter hook ${hook} priority 10; }; add rule inet other one ${rule}`,
  )
  try {
    await work()
  } finally {
    await nft('delete table inet other')
  }
}

describe('a node that is tried as a customer', () => {
  test('is sold once pages, names and the page for the expired came through the tunnel', async () => {
    await until(isSold)
  })

  test('is not sold while a firewall forwards nothing, and says so', async () => {
    await isWell()
    await withFirewall('forward', 'drop', async () => {
      await says('Pages do not come through the tunnel over IPv4')
      await until(async () => !(await isSold()))
    })
    await isWell()
  })

  test('is not sold while a firewall keeps customers from its resolver, and says so', async () => {
    await isWell()
    await withFirewall('input', `iifname ${path.interfaceName} udp dport 53 drop`, async () => {
      await says('Names are not resolved through the tunnel')
    })
    await isWell()
  })

  test('is not sold while its resolver gets no answers, although names that it knows go on, and says so', async () => {
    await isWell()
    await withFirewall('input', 'udp sport 53 ip saddr 203.0.113.0/24 drop', async () => {
      await says('The resolver gets no answers from the internet')
    })
    await isWell()
  })

  test('is not sold while a firewall closes port 80 to customers, and says so', async () => {
    await isWell()
    await withFirewall('input', `iifname ${path.interfaceName} tcp dport 80 drop`, async () => {
      await says('The node’s own page does not come through the tunnel over IPv4')
    })
    await isWell()
  })

  test('is not sold while IPv6 alone is not forwarded, and says so', async () => {
    await isWell()
    await path.node.run('sysctl', '-qw', 'net.ipv6.conf.all.forwarding=0')
    await says('Pages do not come through the tunnel over IPv6')
    await path.node.run('sysctl', '-qw', 'net.ipv6.conf.all.forwarding=1')
    await isWell()
  })

  test('is not sold while all its routes are gone, and says so', async () => {
    await isWell()
    const routes = async (family: string) =>
      (await path.node.run('ip', family, 'route', 'show', 'default')).trim().split('\n')
    const former = await Promise.all(
      ['-4', '-6'].map(async (family) => [family, await routes(family)] as const),
    )
    for (const [family] of former) await path.node.run('ip', family, 'route', 'flush', 'default')
    await says('default route')
    for (const [family, lines] of former)
      for (const line of lines)
        await path.node.run('ip', family, 'route', 'add', ...line.trim().split(/\s+/), 'onlink')
    await isWell()
  })

  test('is not sold while its server no longer reaches the internet, and says so', async () => {
    await isWell()
    await withFirewall('prerouting', 'ip saddr 203.0.113.0/24 drop', async () => {
      await says('This server no longer reaches www.example.com over IPv4.')
    })
    await isWell()
  })

  test('is not sold while large packets are lost on the way, and says so', async () => {
    await isWell()
    await path.sendSinglePackets()
    await withFirewall('forward', 'ip daddr 198.18.0.0/15 ip length > 1300 drop', async () => {
      await says('Only small packets of pages come through the tunnel over IPv4 (www.example.com)')
    })
    await isWell()
  })

  test('is in no count of customers and in no report', async () => {
    await isWell()
    expect(await shop.db.selectFrom('peers').select('id').execute()).toEqual([])
    expect((await path.row()).load).toBe(0)
  })
})
