import type { Driver } from '#device/driver.ts'
import { addKernelLink, findLinkKind } from '#device/link.ts'
import { createUapiDriver } from '#device/uapi-driver.ts'
import { isListening, socketOf } from '#device/uapi-socket.ts'
import { createWgDriver } from '#device/wg-driver.ts'
import { startWireguardGo } from '#device/wireguard-go.ts'

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
    `The interface ${interfaceName} exists but is not a WireGuard interface. Set AGENT_INTERFACE to another name`,
  )
}
