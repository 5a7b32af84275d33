import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ACTIVE_BIT } from '#network/marks.ts'
import { OWN_IPV4, OWN_IPV6 } from '#network/own-addresses.ts'
import { tableOf } from '#network/rules.ts'
import type { RulesOptions } from '#network/rules-options.ts'
import { env, runCommand } from '#runtime/run-command.ts'

type Options = Pick<RulesOptions, 'interfaceName' | 'ipv4' | 'ipv6'> & { stateDir: string }

const READY_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 50

const nameOf = (interfaceName: string) => `${tableOf(interfaceName)}_guard`

/**
 * Holds while the other table is missing. What that one has not marked goes nowhere, nothing leaves with a customer's
 * address, and the kernel goes on translating the connections that are open: otherwise the node itself would answer
 * their packets with a reset. One line, as `nft -i` reads it.
 */
const guardRules = ({ interfaceName, ipv4, ipv6 }: Omit<Options, 'stateDir'>): string => {
  const isMarked = `meta mark & ${ACTIVE_BIT} == ${ACTIVE_BIT}`
  const table = nameOf(interfaceName)
  const nat = (hook: string, priority: number) =>
    `chain ${hook}_nat { type nat hook ${hook} priority ${priority}; policy accept; };`
  const filter = (hook: string, priority: number, ...rules: string[]) =>
    `chain ${hook} { type filter hook ${hook} priority ${priority}; policy accept; ${rules.join('; ')}; };`
  const body = [
    'flags owner;',
    nat('prerouting', -90),
    nat('postrouting', 110),
    // The expired, who are not marked as active, may ask there; pings and neighbours' questions hurt no one.
    filter(
      'input',
      10,
      `iifname != "${interfaceName}" accept`,
      `${isMarked} accept`,
      `meta l4proto { tcp, udp } ip daddr != ${OWN_IPV4} drop`,
      `meta l4proto { tcp, udp } ip6 daddr != ${OWN_IPV6} drop`,
    ),
    // Asking for a state has the kernel go on tracking.
    filter(
      'forward',
      10,
      `${isMarked} ct state != invalid accept`,
      `iifname "${interfaceName}" drop`,
      `oifname "${interfaceName}" drop`,
    ),
    filter(
      'postrouting',
      300,
      `ip saddr ${ipv4} oifname != { "${interfaceName}", "lo" } drop`,
      `ip6 saddr ${ipv6} oifname != { "${interfaceName}", "lo" } drop`,
    ),
  ]
  return `add table inet ${table} { flags owner; }; delete table inet ${table}; table inet ${table} { ${body.join(' ')} }\n`
}

/**
 * The kernel lets only the program that made such a table change it, not even by `flush ruleset`, and takes it away
 * when that program ends. So an `nft` of its own holds it, which outlives the agent and reads from a pipe in `stateDir`.
 */
export const createGuard = (options: Options) => {
  const pipe = join(options.stateDir, 'guard')
  let isSet = false

  /** Undefined: there is no program that reads it. */
  const openPipe = () =>
    open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
      if (error.code === 'ENXIO' || error.code === 'ENOENT') return undefined
      throw error
    })
  const isThere = async (): Promise<boolean> => {
    const writer = await openPipe()
    await writer?.close()
    return writer !== undefined
  }
  const until = async (isDone: () => Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + READY_WITHIN_MS; !(await isDone()); await setTimeout(LOOK_EVERY_MS))
      if (Date.now() > end)
        throw new Error(
          'The rules that outlast a flush of the firewall could not be set: is nft 1.0 installed?',
        )
  }
  const start = async (): Promise<void> => {
    await mkdir(options.stateDir, { recursive: true, mode: 0o700 })
    // It holds both ends itself, so that it never comes to the end of its input.
    const script = '[ -p "$0" ] || mkfifo -m 600 "$0"; exec nft -i <>"$0"'
    const child = spawn('sh', ['-c', script, pipe], { env, stdio: 'ignore', detached: true })
    // Not being there says it all.
    child.on('error', () => undefined)
    child.unref()
  }
  const isLoaded = () =>
    runCommand('nft', ['list', 'tables', 'inet']).then((tables) =>
      tables.split('\n').includes(`table inet ${nameOf(options.interfaceName)}`),
    )

  return {
    isThere: async (): Promise<boolean> => isSet && (await isThere()),
    /** Returns whether it was missing. */
    ensure: async (): Promise<boolean> => {
      const wasThere = await isThere()
      if (isSet && wasThere) return false
      if (!wasThere) {
        await start()
        await until(isThere)
      }
      const writer = await openPipe()
      await writer?.write(guardRules(options))
      await writer?.close()
      await until(isLoaded)
      const wasSet = isSet
      isSet = true
      return wasSet
    },
  }
}
