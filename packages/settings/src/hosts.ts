import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const nearby = new BlockList()
nearby.addSubnet('10.0.0.0', 8)
nearby.addSubnet('172.16.0.0', 12)
nearby.addSubnet('192.168.0.0', 16)
nearby.addSubnet('fc00::', 7, 'ipv6')

const isIn = (list: BlockList, host: string): boolean =>
  isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')

/** The host of a URL, which has brackets around an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a URL's host is this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || isIn(loopback, bare(hostname))

/** Whether a URL's host is this machine, or has an address that only a private network knows. */
export const isPrivate = (hostname: string): boolean => isLoopback(hostname) || isIn(nearby, bare(hostname))
