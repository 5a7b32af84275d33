import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { listsOf } from '@hedgerow/domain/filters'
import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { NOT_INTERNET_IPV4, NOT_INTERNET_IPV6, TUNNELLED_IPV6 } from '#network/blocked-destinations.ts'
import { LISTS, zoneFileOf, zonesIn } from '#network/filter-lists.ts'
import { RESOLVER_OF_EXPIRED } from '#network/marks.ts'
import {
  CHECK_IPV4,
  CHECK_IPV6,
  PAGE_IPV4,
  PAGE_IPV6,
  RESOLVERS,
  resolverIpv4,
  resolverIpv6,
} from '#network/own-addresses.ts'
import { zoneHead } from '#network/zone-file.ts'

/** Names that are asked of one server, for networks without the internet. */
export type Stub = { zone: string; address: string }

export type ResolverOptions = {
  stateDir: string
  /** Of the tunnel. */
  networks: readonly string[]
  stubs: readonly Stub[]
}

const ROOT_KEY = '/usr/share/dns/root.key'
/** So short that names work as soon as a connection is renewed, and that a tunnel that is off is noticed. */
const OWN_TTL_S = 2

const NOT_INTERNET = [...NOT_INTERNET_IPV4, ...NOT_INTERNET_IPV6, ...TUNNELLED_IPV6]

const inZone = (network: string): string => {
  const [address = '', bits] = network.split('/')
  if (address.includes('.')) return [bits ?? '32', ...address.split('.').reverse()].join('.')
  const groups = address.replace('::', ':zz:').split(':').filter(Boolean).reverse()
  return [bits ?? '128', ...groups].join('.')
}

/**
 * What is answered before any list is asked, the first that fits. A name of the internet that leads to where the internet is
 * not has no address: not the node's own services, nor the customer's home, nor a cloud. The expired have a page by every name.
 */
const OWN_ZONES = {
  private: NOT_INTERNET.map((network) => `${inZone(network)}.rpz-ip CNAME *.`),
  expired: [`* A ${PAGE_IPV4}`, `* AAAA ${PAGE_IPV6}`],
  check: [`${CHECK_HOST} A ${CHECK_IPV4}`, `${CHECK_HOST} AAAA ${CHECK_IPV6}`, `*.${CHECK_HOST} CNAME .`],
}

/** SVCB and HTTPS (RFC 9460), whose records may name addresses of their own, of which policy zones know nothing. */
const WITH_HINTS = [64, 65]

const ABOUT_ITSELF = ['bind', 'pdns', 'server']

const lua = (value: string | readonly string[]): string =>
  typeof value === 'string' ? JSON.stringify(value) : `{ ${value.map(lua).join(', ')} }`

/** The policies, in their order, and whose signatures of names are believed. Read again when lists have changed. */
const policies = (dir: string, { stateDir, stubs }: ResolverOptions): string =>
  [
    ...(existsSync(ROOT_KEY) ? [`readTrustAnchorsFromFile(${lua(ROOT_KEY)})`] : []),
    ...stubs.map(({ zone }) => `addNTA(${lua(zone)}, "asked of one server")`),
    ...Object.keys(OWN_ZONES).map(
      (zone) => `rpzFile(${lua(join(dir, `${zone}.zone`))}, { policyName = ${lua(zone)} })`,
    ),
    ...LISTS.map(
      (list) =>
        `rpzFile(${lua(zoneFileOf(zonesIn(stateDir), list))}, { policyName = ${lua(list)}, defpol = Policy.NXDOMAIN })`,
    ),
    '',
  ].join('\n')

/** Of those that not every resolver has. */
const discardedBy = (resolver: number): string[] =>
  resolver === RESOLVER_OF_EXPIRED
    ? []
    : ['expired', ...LISTS.filter((list) => !listsOf(resolver - 1).includes(list))]

/**
 * Which policies do not hold for the address that was asked. What someone may only look up in the memory would say
 * what others have asked; and below some names, which the internet does not have, the resolver speaks of itself.
 */
const choices = (): string => `local discarded = {
${RESOLVERS.flatMap((resolver) =>
  [resolverIpv4(resolver), resolverIpv6(resolver)].map(
    (address) => `  [${lua(address)}] = ${lua(discardedBy(resolver))},\n`,
  ),
).join('')}}
function prerpz(question)
  for _, policy in ipairs(discarded[question.localaddr:toString()] or {}) do
    question:discardPolicy(policy)
  end
  return false
end
local about_itself = newDS()
about_itself:add(${lua(ABOUT_ITSELF)})
function preresolve(question)
  if question:getDH():getRD() and not about_itself:check(question.qname) then return false end
  question.rcode = pdns.REFUSED
  return true
end
local not_internet = newNMG()
not_internet:addMasks(${lua(NOT_INTERNET)})
function postresolve(answer)
  if ${WITH_HINTS.map((type) => `answer.qtype ~= ${type}`).join(' and ')} then return false end
  for _, record in pairs(answer:getRecords()) do
    for hints in record:getContent():gmatch('ipv[46]hint=([^ ]*)') do
      for address in hints:gmatch('[^,"]+') do
        if not_internet:match(newCA(address)) then
          answer:setRecords({})
          return true
        end
      end
    end
  end
  return false
end
`

/** The files that it reads, by their names. */
export const resolverFiles = (dir: string, options: ResolverOptions): Map<string, string> =>
  new Map([
    ['policies.lua', policies(dir, options)],
    ['choices.lua', choices()],
    ...Object.entries(OWN_ZONES).map(
      ([zone, lines]) => [`${zone}.zone`, `${zoneHead(OWN_TTL_S)}${lines.join('\n')}\n`] as const,
    ),
  ])

const settings = (dir: string, { networks, stubs }: ResolverOptions): Record<string, string> => ({
  // Where it would look for a file of settings: there is none. Also by this it is known among other processes.
  'config-dir': dir,
  'socket-dir': dir,
  'lua-config-file': join(dir, 'policies.lua'),
  'lua-dns-script': join(dir, 'choices.lua'),
  daemon: 'no',
  'local-address': RESOLVERS.flatMap((resolver) => [resolverIpv4(resolver), resolverIpv6(resolver)]).join(),
  'local-port': '53',
  // The firewall lets no one else ask; but programs of the server itself do not pass by its rules.
  'allow-from': networks.join(),
  // It shares its addresses with no other.
  reuseport: 'no',
  'pdns-distributes-queries': 'no',
  threads: String(Math.min(4, availableParallelism())),
  'query-local-address': '0.0.0.0,::',
  // The owner of a name says where its name servers are: at a cloud's own resolver, or in a private network, as well.
  'dont-query': NOT_INTERNET.join(),
  'forward-zones': stubs.map(({ zone, address }) => `${zone}=${address}`).join(),
  dnssec: existsSync(ROOT_KEY) ? 'validate' : 'off',
  // Answers by their question alone, whichever address was asked, and after a list has changed. The memory of records remains.
  'disable-packetcache': 'yes',
  'max-cache-entries': '250000',
  // One customer cannot take all there is for questions that wait: the firewall allows each 100 a second by UDP, and 20
  // connections. A device asks again after some seconds.
  'max-mthreads': '4096',
  'max-total-msec': '4000',
  'max-tcp-clients': '1024',
  'max-tcp-per-client': '16',
  'max-tcp-queries-per-connection': '25',
  // It logs nothing, counts no names, and reveals nothing of itself, nor asks its makers about its version.
  'disable-syslog': 'yes',
  quiet: 'yes',
  loglevel: '3',
  'log-common-errors': 'no',
  'statistics-interval': '0',
  'stats-ringbuffer-entries': '0',
  'server-id': 'disabled',
  'security-poll-suffix': '',
})

/**
 * PowerDNS Recursor's settings. By arguments, which all versions read alike: 5.2 reads the files of 4.8 no longer.
 */
export const resolverArguments = (dir: string, options: ResolverOptions): string[] =>
  Object.entries(settings(dir, options)).map(([name, value]) => `--${name}=${value}`)
