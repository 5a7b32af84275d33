import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { open, stat } from 'node:fs/promises'
import { BlockList, connect, isIP, isIPv6 } from 'node:net'
import type { AgentNode } from '@hedgerow/contract/agents'
import { addressesAt, NODE_POSITION } from '@hedgerow/domain/addresses'
import { FILTERS } from '@hedgerow/domain/filters'
import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { INTERNET_IPV6, NOT_INTERNET_IPV4, TUNNELLED_IPV6 } from '#network/blocked-destinations.ts'
import { zoneFileOf } from '#network/filter-lists.ts'
import { CHECK_IPV4, CHECK_IPV6, PAGE_IPV4 } from '#network/own-addresses.ts'
import { askName, fetchPage } from '#probe/ask.ts'
import type { ProbePeer, ProbePeers } from '#probe/probe-peers.ts'
import { SMALL_SEGMENT } from '#probe/tcp-stream.ts'
import { openTunnel, type Tunnel } from '#probe/tunnel.ts'

type Options = {
  node: () => AgentNode | undefined
  serverPublicKey: string
  peers: ProbePeers
  /** A page of the internet. */
  url: URL
  /** Networks beside the server, which are kept from customers. */
  neighbours: () => readonly string[]
  zonesDir: string
  /** So long after a list was written the resolver has surely read it. */
  listsReadAfterMs: number
}

const DIRECT_WITHIN_MS = 3_000
const FIRST_BYTES = 4_096
/** Reserved, so that it is no one's (RFC 6761). */
const ANY_NAME = 'expired.example'
const SEE = 'See "Beside a firewall of your own" in docs/node.md.'

type Family = 'IPv4' | 'IPv6'
const familyOf = (address: string): Family => (isIPv6(address) ? 'IPv6' : 'IPv4')
const reason = (error: unknown) => (error as Error).message

const addTo = (list: BlockList, networks: readonly string[]): void => {
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
}

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  addTo(list, networks)
  return list
}

/** Whether customers may reach an address: private ones and the server's neighbours they may not. */
const mayBeReached = (address: string, neighbours: readonly string[]): boolean => {
  const closed = listOf([...NOT_INTERNET_IPV4, ...TUNNELLED_IPV6, ...neighbours])
  if (familyOf(address) === 'IPv4') return !closed.check(address, 'ipv4')
  return listOf([INTERNET_IPV6]).check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** Whether this server reaches it by itself. */
const isReached = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: DIRECT_WITHIN_MS })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.on('connect', end(true)).on('timeout', end(false)).on('error', end(false))
  })

/** Whether this server's own resolver has an answer, be it that there is no such name. */
const isResolvedHere = (name: string): Promise<boolean> =>
  lookup(name).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOTFOUND',
  )

/** The first name of a list that the resolver has had the time to read. */
const firstName = async (file: string, readAfterMs: number): Promise<string | undefined> => {
  const facts = await stat(file).catch(() => undefined)
  if (!facts || Date.now() - facts.mtimeMs < readAfterMs) return undefined
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
    return /^([^*\s]\S*) CNAME \.$/m.exec(buffer.toString('latin1', 0, bytesRead))?.[1]
  } finally {
    await handle.close()
  }
}

/** What a node's customers get, tried as one of them. Each look returns sentences about what they do not get. */
export const createLook = (options: Options) => {
  const { node, serverPublicKey, peers, url, neighbours, zonesDir, listsReadAfterMs } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  /** Families by which the page has come through the tunnel. */
  const seen = new Set<Family>()
  /** Whether its name has been resolved through the tunnel, and to what at last. */
  let wasResolved = false
  let addresses: readonly string[] = []

  const openFor = (
    { peer, privateKey }: ProbePeer,
    { listenPort, obfuscation }: AgentNode,
  ): Promise<Tunnel> =>
    openTunnel(listenPort, { privateKey, serverPublicKey, presharedKey: peer.presharedKey }, obfuscation)
  const ends = ({ peer }: ProbePeer, current: AgentNode) => ({
    from: peer.ipv4,
    resolver: addressesAt(current, NODE_POSITION).ipv4,
  })

  const lookAtOwnPage = async (tunnel: Tunnel): Promise<string[]> => {
    const { ipv4, ipv6 } = peers.current.peer
    const each = [
      ['IPv4', ipv4, CHECK_IPV4],
      ['IPv6', ipv6, CHECK_IPV6],
    ] as const
    const faults = await Promise.all(
      each.map(async ([family, from, to]) => {
        try {
          await fetchPage(tunnel, { from, to }, new URL(`http://${CHECK_HOST}/json`))
          return []
        } catch (error) {
          return [
            `The node’s own page does not come through the tunnel over ${family}: ${reason(error)}. ${SEE}`,
          ]
        }
      }),
    )
    return faults.flat()
  }

  const lookAtFilters = async (tunnel: Tunnel, current: AgentNode): Promise<string[]> => {
    const faults = await Promise.all(
      FILTERS.map(async ({ filter: { list } }) => {
        const name = await firstName(zoneFileOf(zonesDir, list), listsReadAfterMs)
        if (!name) return []
        const answer = await askName(tunnel, ends(peers.current, current), name, 'A')
        return answer && answer.rcode !== 'NXDOMAIN' ? [`The filter "${list}" does not block ${name}.`] : []
      }),
    )
    return faults.flat()
  }

  /** What this server reaches by itself its customers have to reach too. */
  const lookAtPage = async (tunnel: Tunnel, address: string): Promise<string[]> => {
    const family = familyOf(address)
    const from = family === 'IPv4' ? peers.current.peer.ipv4 : peers.current.peer.ipv6
    if (!mayBeReached(address, neighbours())) return []
    try {
      await fetchPage(tunnel, { from, to: address }, url)
      seen.add(family)
      return []
    } catch (error) {
      if (!(await isReached(address, port)))
        return seen.has(family) ? [`This server no longer reaches ${host} over ${family}.`] : []
      const inSmallPackets = { from, to: address, largestSegment: SMALL_SEGMENT }
      return (await fetchPage(tunnel, inSmallPackets, url).catch(() => undefined))
        ? [
            `Only small packets of pages come through the tunnel over ${family} (${host}): the way to the internet carries less than this server assumes, and the ICMP errors that say so are dropped. Let them in, or set AGENT_MTU to 1280.`,
          ]
        : [
            `Pages do not come through the tunnel over ${family} (${host}: ${reason(error)}), though this server reaches them. A firewall may hold back what it is to forward. ${SEE}`,
          ]
    }
  }

  /**
   * A name that no cache has, so that the resolver has to ask the internet for it; whether there is one does not matter.
   * What this server resolves by itself, or the resolver did before, is held against the node.
   */
  const lookAtNames = async (tunnel: Tunnel, current: AgentNode): Promise<string[]> => {
    const fresh = `${randomBytes(8).toString('hex')}.${host}`
    const answer = await askName(tunnel, ends(peers.current, current), fresh, 'A')
    if (answer && answer.rcode !== 'SERVFAIL') {
      wasResolved = true
      return []
    }
    return wasResolved || (await isResolvedHere(fresh))
      ? [
          `The resolver gets no answers from the internet, so that names are not resolved: it could not find out about a name below ${host}. Answers from port 53 have to come in. ${SEE}`,
        ]
      : []
  }

  const addressesOf = async (tunnel: Tunnel, current: AgentNode): Promise<string[]> => {
    if (isIP(host)) return [host]
    const answers = await Promise.all(
      (['A', 'AAAA'] as const).map((type) => askName(tunnel, ends(peers.current, current), host, type)),
    )
    return answers.flatMap((answer) => answer?.addresses.slice(0, 1) ?? [])
  }

  const lookOutside = async (tunnel: Tunnel, current: AgentNode): Promise<string[]> => {
    const names = isIP(host) ? [] : await lookAtNames(tunnel, current)
    // Whether only names do not work, or nothing does, pages show at the addresses that were known.
    if (names.length === 0) addresses = await addressesOf(tunnel, current)
    const pages = await Promise.all(addresses.map((address) => lookAtPage(tunnel, address)))
    return [...names, ...pages.flat()]
  }

  const lookAsCustomer = async (current: AgentNode): Promise<string[]> => {
    const tunnel = await openFor(peers.current, current).catch(() => undefined)
    if (!tunnel) return [`WireGuard does not answer on UDP port ${current.listenPort} of this server.`]
    try {
      if (!(await askName(tunnel, ends(peers.current, current), CHECK_HOST, 'A')))
        return [`Names are not resolved through the tunnel: the resolver’s answers do not come. ${SEE}`]
      const faults = await Promise.all([
        lookAtOwnPage(tunnel),
        lookAtFilters(tunnel, current),
        lookOutside(tunnel, current),
      ])
      return faults.flat()
    } finally {
      tunnel.close()
    }
  }

  const lookAsExpired = async (current: AgentNode): Promise<string[]> => {
    const tunnel = await openFor(peers.expired, current).catch(() => undefined)
    // The other one says so.
    if (!tunnel) return []
    try {
      const answer = await askName(tunnel, ends(peers.expired, current), ANY_NAME, 'A')
      if (!answer?.addresses.includes(PAGE_IPV4)) throw new Error('names do not lead there')
      await fetchPage(
        tunnel,
        { from: peers.expired.peer.ipv4, to: PAGE_IPV4 },
        new URL(`http://${PAGE_IPV4}/`),
      )
      return []
    } catch (error) {
      return [`Expired customers do not get the page that says so: ${reason(error)}.`]
    } finally {
      tunnel.close()
    }
  }

  return async (): Promise<string[]> => {
    const current = node()
    if (!current) return []
    const faults = await lookAsCustomer(current)
    return faults.length > 0 ? faults : lookAsExpired(current)
  }
}
