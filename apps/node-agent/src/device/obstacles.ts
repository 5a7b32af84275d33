import { readFile } from 'node:fs/promises'
import { Obstacle } from '#runtime/obstacle.ts'

const IPV6 = '/proc/sys/net/ipv6/conf'

const isSwitchedOff = (name: string): Promise<boolean | undefined> =>
  readFile(`${IPV6}/${name}/disable_ipv6`, 'utf8').then(
    (text) => text.trim() === '1',
    () => undefined,
  )

/** Customers have IPv6 inside of the tunnel on every node, so that nothing of theirs goes past it. */
export const requireIpv6 = async (interfaceName: string): Promise<void> => {
  const off = "IPv6 is switched off in this server's kernel"
  if ((await isSwitchedOff('all')) === undefined)
    throw new Obstacle(`${off}: remove ipv6.disable from its command line and restart the server.`)
  const ofTunnel = (await isSwitchedOff(interfaceName)) ?? (await isSwitchedOff('default'))
  if (ofTunnel || (await isSwitchedOff('lo')))
    throw new Obstacle(`${off}: set net.ipv6.conf.all.disable_ipv6 to 0, also in /etc/sysctl.d.`)
}

/** EADDRINUSE, of wireguard-go or in words. */
const IS_TAKEN = /errno=-98\b|address already in use/i

/** Does what makes WireGuard listen. */
export const withPort = async <T>(port: number, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!IS_TAKEN.test((error as Error).message)) throw error
    throw new Obstacle(
      `Another program uses UDP port ${port}, on which WireGuard is to listen: end that program, or give the node another port in the shop.`,
      { cause: error },
    )
  }
}
