import { setTimeout as sleep } from 'node:timers/promises'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { AMNEZIAWG, DIALECTS, type Dialect, parametersOf, WIREGUARD } from '#device/dialect.ts'
import type { Driver } from '#device/driver.ts'
import { addKernelLink, deleteLink, findLinkKind } from '#device/link.ts'
import { createUapiDriver } from '#device/uapi-driver.ts'
import { isListening, socketOf } from '#device/uapi-socket.ts'
import { createWgDriver } from '#device/wg-driver.ts'
import { startWireguardGo } from '#device/wireguard-go.ts'
import { Obstacle } from '#runtime/obstacle.ts'
import { runCommand } from '#runtime/run-command.ts'

type Carrier = { dialect: Dialect; isKernel: boolean }

/** What carries an interface that is there. */
const findCarrier = async (interfaceName: string): Promise<Carrier | undefined> => {
  const kind = await findLinkKind(interfaceName)
  if (kind === undefined) return undefined
  for (const dialect of DIALECTS) {
    if (kind === dialect.linkKind) return { dialect, isKernel: true }
    if (kind === 'tun' && (await isListening(socketOf(dialect, interfaceName))))
      return { dialect, isKernel: false }
  }
  throw new Error(
    `The interface ${interfaceName} exists but is not a WireGuard interface. Set AGENT_INTERFACE to another name`,
  )
}

const EVERY_MS = 25

/** A program ends with its interface, and only then gives its port back. */
const remove = async ({ dialect, isKernel }: Carrier, interfaceName: string): Promise<void> => {
  await deleteLink(interfaceName)
  while (!isKernel && (await isListening(socketOf(dialect, interfaceName)))) await sleep(EVERY_MS)
}

const add = async (dialect: Dialect, interfaceName: string): Promise<Carrier> => {
  const isKernel = await addKernelLink(interfaceName, dialect.linkKind)
  if (!isKernel) await startWireguardGo(dialect, interfaceName)
  return { dialect, isKernel }
}

const requireAwg = (): Promise<unknown> =>
  runCommand(AMNEZIAWG.tool, ['--version']).catch(() => {
    throw new Obstacle(
      'The kernel of this server has AmneziaWG, and awg, by which it is set up, is missing: install amneziawg-tools.',
    )
  })

/**
 * Finds the interface, or makes it: the kernel's where there is one, else a program's. One that speaks otherwise than the
 * node is to is made anew.
 */
export const openDriver = async (
  interfaceName: string,
  stateDir: string,
  obfuscation?: Obfuscation,
): Promise<Driver> => {
  const dialect = obfuscation ? AMNEZIAWG : WIREGUARD
  const found = await findCarrier(interfaceName)
  if (found && found.dialect !== dialect) await remove(found, interfaceName)
  const { isKernel } = found?.dialect === dialect ? found : await add(dialect, interfaceName)
  const parameters = parametersOf(obfuscation)
  if (!isKernel) return createUapiDriver(dialect, socketOf(dialect, interfaceName), parameters)
  if (dialect === AMNEZIAWG) await requireAwg()
  return createWgDriver(dialect, interfaceName, stateDir, parameters)
}
