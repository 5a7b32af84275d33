import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { createNodeRig, type NodeRig } from '#testing/node-rig.ts'

beforeAll(requireTunnels)

type Thing = [what: string, put: (rig: NodeRig) => string, says: string, remove: (rig: NodeRig) => string]

const THINGS: Thing[] = [
  [
    'an interface',
    ({ interfaceName }) => `ip link add ${interfaceName} type bridge`,
    "that is not the agent's: set AGENT_INTERFACE to another name",
    ({ interfaceName }) => `ip link delete ${interfaceName}`,
  ],
  [
    'a WireGuard with another key',
    ({ interfaceName }) =>
      `LOG_LEVEL=silent wireguard-go ${interfaceName} && wg genkey | wg set ${interfaceName} private-key /dev/stdin`,
    "that is not the agent's: set AGENT_INTERFACE to another name",
    ({ interfaceName }) => `ip link delete ${interfaceName}`,
  ],
  [
    'a table of rules',
    ({ interfaceName }) => `nft add table inet hedgerow_${interfaceName}`,
    'nftables has a table inet hedgerow_wn',
    ({ interfaceName }) => `nft delete table inet hedgerow_${interfaceName}`,
  ],
  [
    'a queue on the uplink',
    ({ env }) => `tc qdisc add dev ${env.AGENT_UPLINK} root tbf rate 1gbit burst 100k latency 50ms`,
    "has a queue (tbf) that is not the agent's",
    ({ env }) => `tc qdisc delete dev ${env.AGENT_UPLINK} root`,
  ],
]

test.each(THINGS)(
  '%s that is not the agent’s is refused by its name, and left as it is',
  async (_, put, says, remove) => {
    const rig = await createNodeRig()
    const sh = (command: string) => rig.namespace.run('sh', '-c', command)
    const list = () =>
      sh('ls /sys/class/net; ip -4 -o address; nft list ruleset; tc qdisc show | sed "s/refcnt.*//"')
    await sh(put(rig))
    const before = await list()
    const refused = rig.start()
    expect(await refused.ended).toBe(2)
    expect(refused.output()).toContain(says)
    expect(await list()).toBe(before)
    await sh(remove(rig))
    const agent = rig.start()
    const isWell = () => until(async () => (await rig.ask('/healthz').catch(() => '')).startsWith('200'))
    await isWell()
    await agent.kill()
    // Its own it takes over.
    rig.start()
    await isWell()
  },
)

test('an uplink that arrives later is shaped and taken over by the next start, unless it has the queue of another', async () => {
  const rig = await createNodeRig()
  const sh = (command: string) => rig.namespace.run('sh', '-c', command)
  const agent = rig.start({ AGENT_UPLINK: '' }, { watchMs: 200 })
  const says = (what: RegExp) => until(async () => what.test(await rig.ask('/healthz').catch(() => '')))
  await says(/^200/)
  await sh(`ip link add up8 type bridge && ip link set up8 up && tc qdisc add dev up8 root tbf rate 1gbit burst 100k latency 50ms
    ip route add 0.0.0.0/1 dev up8`)
  await says(/^503 .*The shaper does not work: The interface up8 has a queue \(tbf\) that is not the agent's/)
  const queue = () => sh('tc qdisc show dev up8 root')
  expect(await queue()).toContain('qdisc tbf')
  await sh('tc qdisc delete dev up8 root')
  await says(/^200/)
  expect(await queue()).toContain('qdisc htb 1:')
  await agent.kill()
  rig.start({ AGENT_UPLINK: '' })
  await says(/^200/)
})
