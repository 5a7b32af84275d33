import type { Driver } from './driver.ts'
import { addKernelLink, findLinkKind } from './link.ts'
import { createUapiDriver } from './uapi-driver.ts'
import { isListening, socketOf } from './uapi-socket.ts'
import { createWgDriver } from './wg-driver.ts'
import { startWireguardGo } from './wireguard-go.ts'

/** Finds the interface, or makes it: the kernel's WireGuard where there is one, else wireguard-go. */
export const openDriver = async (interfaceName: string, stateDir: string): Promise<Driver> => {
  const kind = await findLinkKind(interfaceName)
  if (kind === 'wireguard') return createWgDriver(interfaceName, stateDir)
  if (kind === undefined) {
    if (await addKernelLink(interfaceName)) return createWgDriver(interfaceName, stateDir)
    await startWireguardGo(interfaceName)
    return createUapiDriver(interfaceName)
  }
  if (kind === 'tun' && (await isListening(socketOf(interfaceName)))) return createUapiDriver(interfaceName)
  throw new Error(
    `There is an interface ${interfaceName} that is not WireGuard's; AGENT_INTERFACE names another`,
  )
}
