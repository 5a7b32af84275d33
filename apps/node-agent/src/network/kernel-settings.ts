import { readdir, readFile, writeFile } from 'node:fs/promises'

const ROOT = '/proc/sys/net'

const PIECES_WAIT_S = '3'

/** Of a connection over which nothing is said: two hours and four minutes, as RFC 5382 asks for. The kernel waits five days. */
const IDLE_CONNECTION = 'netfilter/nf_conntrack_tcp_timeout_established'
const IDLE_CONNECTION_S = 7_440

const read = async (path: string): Promise<string> => {
  try {
    return (await readFile(`${ROOT}/${path}`, 'utf8')).trim()
  } catch (error) {
    throw new Error(`${ROOT}/${path} cannot be read: is that interface there, and is IPv6 on?`, {
      cause: error,
    })
  }
}

const readNumber = (path: string): Promise<number | undefined> =>
  readFile(`${ROOT}/${path}`, 'utf8').then(Number, () => undefined)

/** Sets it where that may be done, which it may not in a container. Returns whether it could be. */
const trySetting = (path: string, value: number): Promise<boolean> =>
  writeFile(`${ROOT}/${path}`, String(value)).then(
    () => true,
    () => false,
  )

/** Makes a limit at least so large, where that may be done. Returns what it is, or undefined: the kernel has none yet. */
export const raiseLimit = async (path: string, least: number): Promise<number | undefined> => {
  const found = await readNumber(path)
  if (found === undefined || found >= least) return found
  return (await trySetting(path, least)) ? least : found
}

/** Not longer than needed; an operator's shorter one stays. */
const shortenIdleConnections = async (): Promise<string[]> => {
  const found = await readNumber(IDLE_CONNECTION)
  if (found === undefined || found <= IDLE_CONNECTION_S) return []
  return (await trySetting(IDLE_CONNECTION, IDLE_CONNECTION_S)) ? [IDLE_CONNECTION] : []
}

type Setting = [path: string, value: string]

/**
 * A host that forwards no longer learns its own IPv6 routes from routers, unless told to do both. It is for uplinks,
 * and for each interface that learns them so far. A dot in an interface's name is not a folder here, unlike in sysctl's
 * own writing.
 */
const learnRoutes = async (interfaceName: string, uplinks: readonly string[]): Promise<Setting[]> => {
  const names = await readdir(`${ROOT}/ipv6/conf`)
  const settings: Setting[] = []
  for (const name of names.filter((one) => !['all', 'default', 'lo', interfaceName].includes(one))) {
    const path = `ipv6/conf/${name}/accept_ra`
    const mayLearn = uplinks.includes(name) || (await readNumber(`ipv6/conf/${name}/forwarding`)) === 0
    if (mayLearn && (await readNumber(path)) === 1) settings.push([path, '2'])
  }
  return settings
}

const wanted = async (interfaceName: string, uplinks: readonly string[]): Promise<Setting[]> => {
  return [
    ...(await learnRoutes(interfaceName, uplinks)),
    [`ipv4/conf/${interfaceName}/rp_filter`, '1'],
    ['ipv4/ip_forward', '1'],
    ['ipv6/conf/all/forwarding', '1'],
    // Pieces of packets whose rest never comes take the place of others' for so long.
    ['ipv4/ipfrag_time', PIECES_WAIT_S],
    ['netfilter/nf_conntrack_frag6_timeout', PIECES_WAIT_S],
  ]
}

/** Turns forwarding on; returns what was not so. */
export const ensureKernelSettings = async (
  interfaceName: string,
  uplinks: readonly string[],
): Promise<string[]> => {
  const changed = await shortenIdleConnections()
  for (const [path, value] of await wanted(interfaceName, uplinks)) {
    if ((await read(path)) === value) continue
    try {
      await writeFile(`${ROOT}/${path}`, value)
    } catch (error) {
      const name = path.replaceAll('/', '.')
      throw new Error(
        `net.${name} cannot be set to ${value}: set it in /etc/sysctl.d, or give the agent CAP_NET_ADMIN and a writable /proc/sys`,
        { cause: error },
      )
    }
    changed.push(path)
  }
  return changed
}
