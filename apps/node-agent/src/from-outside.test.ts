import { hurry } from '@hedgerow/api/testing/jobs'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { INTERNET, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const SLOW_MS = 180_000
const shop = shopOfFile({ env: { NODE_REACH_CHECK: 'on' } })
const path = pathOfFile(shop)

const closeTo = (interfaces: string) =>
  path.node.run(
    'nft',
    `add table inet admin; add chain inet admin input { type filter hook input priority 0; }; add rule inet admin input ${interfaces} udp dport 51820 drop`,
  )
const openAgain = () => path.node.run('nft', 'delete table inet admin')

/** After the shop has tried the node again, as often as that takes. */
const becomes = (isReached: boolean) =>
  until(async () => {
    await hurry(shop, 'reach-nodes')
    return ((await path.row()).unreached === null) === isReached
  }, SLOW_MS)

/** Of the shop's handshakes, which end there: nothing is sent in such a session. */
const bytesOfShop = async (): Promise<number> => {
  const { shop_key } = await path.row()
  const shown = await path.node.run('wg', 'show', path.interfaceName, 'transfer')
  return Number(new RegExp(`^${shop_key?.replaceAll('+', '\\+')}\\t(\\d+)\\t`, 'm').exec(shown)?.[1])
}

beforeAll(async () => {
  const { id } = await path.row()
  await shop.db
    .updateTable('nodes')
    .set({ endpoint: `${path.fromShop.address}:51820` })
    .where('id', '=', id)
    .execute()
  await until(async () => {
    await hurry(shop, 'reach-nodes')
    return (await bytesOfShop()) > 0
  }, SLOW_MS)
  await becomes(true)
}, SLOW_MS)

test(
  'a port that is closed to all but the server itself is found by the shop alone, and opened it is sold again',
  async () => {
    await closeTo('iifname != "lo"')
    await becomes(false)
    const { unreached, faults } = await path.row()
    expect(unreached).toContain(`Nothing answers at ${path.fromShop.address}:51820 from outside`)
    expect(faults).toBe('')
    await openAgain()
    await becomes(true)
  },
  SLOW_MS,
)

test(
  'a node that the shop cannot send to is sold on while a customer’s packets arrive',
  async () => {
    const { device } = await path.buy()
    await until(() => device.pings(INTERNET.ipv4))
    await until(async () => (await path.row()).has_live_customers, SLOW_MS)
    await closeTo(`iifname "${path.fromShop.interfaceName}"`)
    const bytes = await bytesOfShop()
    const looks = async () =>
      (await shop.db.selectFrom('node_watch').select('handshakes_at').executeTakeFirstOrThrow()).handshakes_at
    const before = await looks()
    // The run that is under way may have begun before; the one after it did not.
    for (let run = 0, last = before; run < 2; run++) {
      await until(async () => {
        await hurry(shop, 'reach-nodes')
        await device.pings(INTERNET.ipv4)
        return String(await looks()) !== String(last)
      }, SLOW_MS)
      last = await looks()
    }
    expect(await bytesOfShop()).toBe(bytes)
    expect(await path.row()).toMatchObject({ unreached: null, has_live_customers: true })
    await openAgain()
  },
  SLOW_MS,
)

test(
  'the shop’s peer has no address, so that it can send nothing through the node',
  async () => {
    const { shop_key } = await path.row()
    const shown = await path.node.run('wg', 'show', path.interfaceName, 'allowed-ips')
    expect(shown.split('\n')).toContain(`${shop_key}\t(none)`)
  },
  SLOW_MS,
)
