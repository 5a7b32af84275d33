import { isDeepStrictEqual } from 'node:util'
import { runCommand } from '#runtime/run-command.ts'

export const PRIORITY_CLASS = '1:10'
export const NORMAL_CLASS = '1:20'
const NODE_CLASS = '1:30'

/** How long a class may send at line speed before it is held to its rate. */
const BURST_MS = 2
const LEAST_BURST = 20_000
const QUANTUM = 15_140

export type ShaperOptions = {
  interfaceName: string
  uplinks: () => readonly string[]
  bandwidthMbit: number
  prioritySharePercent: number
  /** Before an uplink's queue is replaced: throws when it may not be. */
  claimUplink?: (uplink: string) => Promise<void>
}

type Shares = Pick<ShaperOptions, 'bandwidthMbit' | 'prioritySharePercent'>
type Side = 'tunnel' | 'uplink'

/**
 * Percent of the bandwidth that goes into the tunnel. WireGuard and the cable put up to 94 bytes around each packet,
 * and the acknowledgements of downloads leave by the uplink as well. With more, the queue would stand there, where
 * all that WireGuard sends is one.
 */
const INTO_TUNNEL = 90

/**
 * Percent that the node itself, priority and the others are sure of. Into the tunnel the node sends little (answers
 * of the resolver); on the uplink it sends every packet of every tunnel, so that customers share the other half.
 */
const sharesOf = (side: Side, priority: number): [node: number, priority: number, normal: number] => {
  const rest = 100 - priority
  if (side === 'uplink') return [50, priority / 2, rest / 2]
  const node = Math.min(5, rest / 2)
  return [node, priority, rest - node]
}

/**
 * The classes of one side, as tc reads them. Each is sure of its rate and may borrow up to the whole bandwidth;
 * what is left over goes to the node first, then to priority. What no rule has marked is the node's own.
 */
export const classLines = (device: string, side: Side, options: Shares): string[] => {
  const { prioritySharePercent } = options
  const bandwidthMbit = (options.bandwidthMbit * (side === 'tunnel' ? INTO_TUNNEL : 100)) / 100
  const kbit = (percent: number) => `${Math.max(8, Math.floor(bandwidthMbit * 10 * percent))}kbit`
  const burst = Math.max(LEAST_BURST, Math.floor((bandwidthMbit * 1_000_000 * BURST_MS) / 8 / 1000))
  const tail = `ceil ${kbit(100)} burst ${burst} cburst ${burst} quantum ${QUANTUM}`
  const [node, priority, normal] = sharesOf(side, prioritySharePercent)
  return [
    `qdisc add dev ${device} root handle 1: htb default ${NODE_CLASS.slice(2)}`,
    `class add dev ${device} parent 1: classid 1:1 htb rate ${kbit(100)} ${tail}`,
    `class add dev ${device} parent 1:1 classid ${NODE_CLASS} htb rate ${kbit(node)} ${tail} prio 0`,
    `class add dev ${device} parent 1:1 classid ${PRIORITY_CLASS} htb rate ${kbit(priority)} ${tail} prio 1`,
    `class add dev ${device} parent 1:1 classid ${NORMAL_CLASS} htb rate ${kbit(normal)} ${tail} prio 2`,
  ]
}

/**
 * The kernel numbers the leaves' handles, counts packets here too, lists classes in any order, and flows that are waiting as
 * classes.
 */
export const treeIn = (listed: string): string =>
  listed
    .replaceAll(/ (?:leaf )?[0-9a-f]+: | refcnt \d+| direct_packets_stat \d+/g, ' ')
    .split('\n')
    .filter((line) => !line.startsWith('class fq_codel '))
    .sort()
    .join('\n')

const listing = async (device: string): Promise<string> => {
  const both = `qdisc show dev ${device}\nclass show dev ${device}\n`
  return treeIn(await runCommand('tc', ['-batch', '-'], both).catch(() => ''))
}

const CLASSES = ['1:1 root', ...[PRIORITY_CLASS, NORMAL_CLASS, NODE_CLASS].map((id) => `${id} parent 1:1`)]

/** Whether an agent made it, perhaps with other rates. */
export const isOwnTree = (tree: string): boolean => {
  const queues = [...tree.matchAll(/^qdisc (.+)/gm)].map(([, queue = '']) => queue)
  const classes = [...tree.matchAll(/^class htb (\S+ (?:root|parent \S+))/gm)].map(([, one = '']) => one)
  return (
    queues.some((one) => one.startsWith('htb root') && one.includes(` default 0x${NODE_CLASS.slice(2)} `)) &&
    queues.every((one) => /^(?:htb root|fq_codel parent) /.test(one)) &&
    isDeepStrictEqual(classes.sort(), CLASSES)
  )
}

/** HTB on both sides of the node; which class a packet is in says the firewall (`meta priority`). */
export const createShaper = (options: ShaperOptions) => {
  const sides = (): { device: string; side: Side }[] => [
    { device: options.interfaceName, side: 'tunnel' },
    ...options.uplinks().map((device) => ({ device, side: 'uplink' as const })),
  ]
  const { claimUplink = async () => undefined } = options
  const made = new Map<string, string>()

  /** There may be none. */
  const remove = async (device: string): Promise<void> => {
    await runCommand('tc', ['qdisc', 'del', 'dev', device, 'root']).catch(() => undefined)
  }

  /**
   * While its root is replaced an interface drops what is sent, so that the tree of the agent before this one stays, and gets
   * the rates.
   */
  const make = async (device: string, side: Side, listed: string): Promise<void> => {
    const [root = '', ...classes] = classLines(device, side, options)
    const isKept = !made.has(device) && isOwnTree(listed)
    if (!isKept) await remove(device)
    const lines = isKept ? classes.map((line) => line.replace('add', 'replace')) : [root, ...classes]
    await runCommand('tc', ['-batch', '-'], `${lines.join('\n')}\n`)
    const leaves = [PRIORITY_CLASS, NORMAL_CLASS, NODE_CLASS].map(
      (parent) => `qdisc replace dev ${device} parent ${parent} fq_codel\n`,
    )
    // Not every kernel has it; a plain queue is there by itself.
    await runCommand('tc', ['-batch', '-'], leaves.join('')).catch(() => undefined)
    made.set(device, await listing(device))
  }

  /** Returns the devices where something was missing or different. */
  const ensure = async (): Promise<string[]> => {
    const healed: string[] = []
    const wanted = sides()
    for (const device of made.keys()) {
      if (wanted.some((one) => one.device === device)) continue
      // It is an uplink no more, or has gone.
      if (made.get(device) === (await listing(device))) await remove(device)
      made.delete(device)
    }
    let refusal: unknown
    for (const { device, side } of wanted) {
      const listed = await listing(device)
      if (made.get(device) === listed) continue
      try {
        if (side === 'uplink') await claimUplink(device)
        await make(device, side, listed)
        healed.push(device)
      } catch (error) {
        // The others are shaped all the same.
        refusal = error
      }
    }
    if (refusal) throw refusal
    return healed
  }
  return { ensure }
}
