import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { findLinkKind } from '#device/link.ts'
import { readKernelRules } from '#network/kernel-table.ts'
import { tableOf } from '#network/rules.ts'
import { Obstacle } from '#runtime/obstacle.ts'
import { runCommand } from '#runtime/run-command.ts'

type Parts = {
  interfaceName: string
  uplinks: readonly string[]
  stateDir: string
  privateKey: string
  /** An agent has been at work with this state. */
  isInUse: boolean
}

/** Interfaces that an agent with this state works with; undefined: it was a version that did not write them down. */
const readClaimed = async (file: string, isInUse: boolean): Promise<string[] | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return isInUse ? undefined : []
  return text.split('\n').filter(Boolean)
}

const checkTunnel = async ({ interfaceName, privateKey }: Parts): Promise<void> => {
  const isThere = (await findLinkKind(interfaceName)) !== undefined
  const key = isThere ? await runCommand('wg', ['show', interfaceName, 'private-key']).catch(() => '') : ''
  if (isThere && key !== privateKey)
    throw new Obstacle(
      `There is an interface ${interfaceName} that is not the agent's: set AGENT_INTERFACE to another name, or delete it.`,
    )
  const table = tableOf(interfaceName)
  if (!isThere && (await readKernelRules(table)) !== undefined)
    throw new Obstacle(
      `nftables has a table inet ${table} that is not the agent's: set AGENT_INTERFACE to another name, or delete it.`,
    )
}

/** What the kernel puts there by itself has no number. */
const checkQueue = async (uplink: string): Promise<void> => {
  const text = await runCommand('tc', ['qdisc', 'show', 'dev', uplink, 'root']).catch(() => '')
  const [, kind, handle] = /^qdisc (\S+) ([\da-f]+): /.exec(text) ?? []
  if (handle !== undefined && handle !== '0')
    throw new Obstacle(
      `The interface ${uplink} has a queue (${kind}) that is not the agent's, which shapes it itself: delete it (tc qdisc delete dev ${uplink} root), or set AGENT_UPLINK to another interface.`,
    )
}

/**
 * At a start, before anything is touched: what an agent before this one has not made is not taken. Returns how to claim an
 * uplink that arrives later.
 */
export const claimInterfaces = async (parts: Parts): Promise<(uplink: string) => Promise<void>> => {
  const { interfaceName, uplinks, stateDir, isInUse } = parts
  const file = join(stateDir, 'interfaces')
  const claimed = await readClaimed(file, isInUse)
  const isClaimed = (name: string) => claimed === undefined || claimed.includes(name)
  if (!isClaimed(interfaceName)) await checkTunnel(parts)
  for (const uplink of uplinks) if (!isClaimed(uplink)) await checkQueue(uplink)
  const all = new Set([...(claimed ?? []), interfaceName, ...uplinks])
  // On a full disk the state itself says that it is in use.
  const write = () =>
    writeAtomically(file, (handle) => handle.writeFile(`${[...all].join('\n')}\n`)).catch((error) => {
      if (error.code !== 'ENOSPC') throw error
    })
  if (all.size !== claimed?.length) await write()
  return async (uplink) => {
    if (all.has(uplink)) return
    await checkQueue(uplink)
    all.add(uplink)
    await write()
  }
}
