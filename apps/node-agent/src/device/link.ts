import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { addressesAt, NODE_POSITION, type Pool } from '@hedgerow/domain/addresses'
import { DIALECTS } from '#device/dialect.ts'
import { runCommand } from '#runtime/run-command.ts'

type Link = { linkinfo?: { info_kind?: string } }
type Addresses = { addr_info: { local: string; prefixlen: number; scope: string }[] }

/** A dialect's (the kernel's), 'tun' (a program's), another kind, or undefined: there is no such interface. */
export const findLinkKind = async (name: string): Promise<string | undefined> => {
  if (!existsSync(`/sys/class/net/${name}`)) return undefined
  const links: Link[] = JSON.parse((await runCommand('ip', ['-d', '-j', 'link', 'show'])) || '[]')
  const link = links.find((one) => (one as { ifname?: string }).ifname === name)
  return link && (link.linkinfo?.info_kind ?? 'another kind')
}

/** Makes an interface of the kernel's. False: this kernel has none of the kind. */
export const addKernelLink = async (name: string, kind: string): Promise<boolean> => {
  try {
    await runCommand('ip', ['link', 'add', 'dev', name, 'type', kind])
    return true
  } catch (error) {
    if (/unknown device type|not supported/i.test(String(error))) return false
    throw error
  }
}

export const deleteLink = async (name: string): Promise<void> => {
  if (await findLinkKind(name)) await runCommand('ip', ['link', 'delete', 'dev', name])
}

const withPrefix = (address: string, pool: string) => `${address}/${pool.split('/')[1]}`

/** The node's own addresses, with the prefix lengths of its pools. */
const nodeAddresses = (pool: Pool): [ipv4: string, ipv6: string] => {
  const own = addressesAt(pool, NODE_POSITION)
  return [withPrefix(own.ipv4, pool.ipv4), withPrefix(own.ipv6, pool.ipv6)]
}

const OWN_KINDS: readonly string[] = [...DIALECTS.map(({ linkKind }) => linkKind), 'tun']

/**
 * An interface that was given another name keeps its port and peers, so that no new one could be made beside it: it gets its
 * name back. It is known by the node's address.
 */
export const restoreName = async (name: string, pool: Pool): Promise<boolean> => {
  if (networkInterfaces()[name] || (await findLinkKind(name))) return false
  const { ipv4 } = addressesAt(pool, NODE_POSITION)
  const links: (Addresses & { ifname: string })[] = JSON.parse(
    (await runCommand('ip', ['-j', 'address', 'show'])) || '[]',
  )
  const found = links.find(({ addr_info }) => addr_info.some(({ local }) => local === ipv4))?.ifname
  if (found === undefined || !OWN_KINDS.includes((await findLinkKind(found)) ?? '')) return false
  await runCommand('ip', ['link', 'set', 'dev', found, 'down', 'name', name])
  return true
}

/** Gives the interface the node's addresses and no others, and brings it up. What is right already is not touched. */
export const setUpLink = async (name: string, pool: Pool, mtu: number): Promise<void> => {
  const wanted = nodeAddresses(pool)
  const [found]: Addresses[] = JSON.parse(await runCommand('ip', ['-j', 'address', 'show', 'dev', name]))
  const others = (found?.addr_info ?? [])
    .filter(({ scope }) => scope === 'global')
    .map(({ local, prefixlen }) => `${local}/${prefixlen}`)
    .filter((address) => !wanted.includes(address))
  const lines = [
    ...others.map((address) => `address delete ${address} dev ${name}`),
    ...wanted.map((address) => `address replace ${address} dev ${name}`),
    `link set dev ${name} mtu ${mtu} up`,
  ]
  await runCommand('ip', ['-batch', '-'], `${lines.join('\n')}\n`)
}

/** Returns whether it had another one. */
export const ensureLinkMtu = async (name: string, mtu: number): Promise<boolean> => {
  const found = await readFile(`/sys/class/net/${name}/mtu`, 'utf8')
  if (Number(found) === mtu) return false
  await runCommand('ip', ['link', 'set', 'dev', name, 'mtu', String(mtu)])
  return true
}

/** A cheap look, without a process: the interface is there, up, and has the node's addresses. */
export const isLinkUp = (name: string, pool: Pool): boolean => {
  const found = new Set((networkInterfaces()[name] ?? []).map(({ address }) => address))
  const own = addressesAt(pool, NODE_POSITION)
  return found.has(own.ipv4) && found.has(own.ipv6)
}
