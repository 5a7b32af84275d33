import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { createElementWriter, loadRules, planRepairs } from '#network/element-writer.ts'
import { changeText, elementsOf } from '#network/elements.ts'
import { createForgetter } from '#network/forget-connections.ts'
import { readKernelRules, readKernelTable } from '#network/kernel-table.ts'
import { ensureLimits } from '#network/limits.ts'
import { createLoadedRules } from '#network/loaded-rules.ts'
import type { PeerPolicy } from '#network/network.ts'
import { limitsSwitch, tableOf, wholeTable } from '#network/rules.ts'
import type { Limits, RulesOptions } from '#network/rules-options.ts'
import { type Surroundings, surroundingsText } from '#network/surroundings.ts'
import { createMutex } from '#runtime/mutex.ts'

type Options = RulesOptions & {
  surroundings: () => Surroundings
  now?: () => number
  log: Pick<Logger, 'error'>
}

/** The table of rules and the customers' elements in it. */
export const createFirewall = ({ now: clock = Date.now, log, surroundings, ...options }: Options) => {
  const now = () => new Date(clock())
  const table = tableOf(options.interfaceName)
  const elements = createElementWriter(table, now)
  const loaded = createLoadedRules(table)
  const forget = createForgetter(log)
  const exclusively = createMutex()
  let around: Pick<Surroundings, 'uplinks' | 'neighbours'> | undefined
  let limits: Limits | undefined

  const note = (): Promise<void> => loaded.note(JSON.stringify(limits))

  /** Only what they say is loaded again: who has how many connections is not forgotten. */
  const adjust = async (policies: readonly PeerPolicy[]): Promise<void> => {
    const wanted = await ensureLimits(policies.length)
    if (isDeepStrictEqual(wanted, limits)) return
    await loadRules(limitsSwitch(options, wanted))
    limits = wanted
    await note()
  }

  const ensure = async (policies: readonly PeerPolicy[]): Promise<void> => {
    const at = now()
    const wanted = elementsOf(policies, at)
    const { uplinks, neighbours } = surroundings()
    const before = [...elements.addresses()]
    await forget.before(wanted.keys())
    const loading = await ensureLimits(policies.length)
    const contents = `${changeText(table, new Map(), wanted, [], at)}${surroundingsText(table, { uplinks, neighbours })}`
    await loadRules(wholeTable(options, loading, contents))
    around = { uplinks, neighbours }
    limits = loading
    elements.note(wanted)
    await note()
    forget.later(before.filter((address) => !wanted.has(address)))
    // Some of the kernel's own limits are there only once it has rules that ask for them.
    await adjust(policies)
  }

  const apply = async (...[set, gone]: Parameters<typeof elements.apply>): Promise<void> => {
    await forget.before(set.flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6]))
    forget.later(await elements.apply(set, gone))
  }

  /** The node may get another uplink, or another network beside it, at any time. */
  const followSurroundings = async (): Promise<void> => {
    const { uplinks, neighbours } = surroundings()
    if (isDeepStrictEqual({ uplinks, neighbours }, around)) return
    await loadRules(surroundingsText(table, { uplinks, neighbours }))
    around = { uplinks, neighbours }
  }

  /** Returns what was wrong. */
  const heal = async (policies: readonly PeerPolicy[]): Promise<string[]> => {
    const kernel = await readKernelTable(table, now())
    if (!kernel || !loaded.isSame(kernel.rules)) {
      await ensure(policies)
      return [kernel ? 'The firewall’s rules were changed' : 'The firewall’s rules were missing']
    }
    await adjust(policies)
    elements.note(kernel.elements)
    const { wrong, tooMany } = planRepairs(policies, kernel.elements, now())
    if (wrong.size + tooMany.length === 0) return []
    await forget.before(wrong.keys())
    await elements.change(wrong, tooMany)
    forget.later(tooMany)
    return [`${wrong.size} addresses of customers were missing or wrong, ${tooMany.length} were too many`]
  }

  return {
    ensure: (policies: readonly PeerPolicy[]) => exclusively(() => ensure(policies)),
    apply: (...change: Parameters<typeof apply>) => exclusively(() => apply(...change)),
    heal: (policies: readonly PeerPolicy[]) => exclusively(() => heal(policies)),
    followSurroundings: () => exclusively(followSurroundings),
    areRulesIntact: () => exclusively(async () => loaded.isSame(await readKernelRules(table))),
  }
}
