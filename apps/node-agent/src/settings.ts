import { join } from 'node:path'
import { readReleaseKey } from '@hedgerow/agent-release/signature'
import type { FilterList } from '@hedgerow/domain/filters'
import { TUNNEL_MTU } from '@hedgerow/domain/nodes'
import { checkedCertificates } from '@hedgerow/settings/certificates'
import { isPrivate } from '@hedgerow/settings/hosts'
import { type Environment, readVariables, type Values } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'
import * as z from 'zod/mini'

export { SettingsError } from '@hedgerow/settings/settings-error'

/** What the kernel takes as an interface's name; no dash first, since it is handed to commands. */
const INTERFACE = /^\w[\w.-]{0,14}$/
const TOKEN = /^[\w-]{43}$/

const interfaceName = v.text.check(
  v.must(
    (name) => INTERFACE.test(name),
    (name) => `: ${name} is not an interface name`,
  ),
)

const token = v.text.check(
  v.must((text) => TOKEN.test(text), 'must be the 43 characters that "ops node add" printed'),
)

const releaseKey = v.text.check(
  v.must(
    (text) => readReleaseKey(text) !== undefined,
    'must be an Ed25519 public key in Base64, as "npm run release" prints it',
  ),
)

const isPlain = (url: string): boolean => URL.parse(url)?.protocol === 'http:'
const isBare = (url: string): boolean => {
  const { username, search, hash } = new URL(url)
  return !username && !search && !hash
}

/** What follows the '#' is a whole checksum or nothing: one that is cut short would guard nothing. */
const listUrl = v.url(['https:']).check(
  v.must((url) => !new URL(url).username, 'must be addresses without a user name'),
  v.must(
    (url) => /^(?:#sha256=[\da-f]{64})?$/i.test(new URL(url).hash),
    'may have nothing behind a "#" but sha256= and 64 hexadecimal digits',
  ),
)

const domain = v.text.check(
  v.must(
    (name) => /^(?=.{3,253}$)[\w-]+(?:\.[\w-]+)+$/.test(name),
    (name) => `: ${name} is not a name like gate.example`,
  ),
  z.toLowerCase(),
)

const apiUrl = (isProduction: boolean) =>
  v.baseUrl(v.HTTP, 'must be an address that begins with https://').check(
    v.must(isBare, 'must be an address without a user name, query or hash'),
    v.must(
      (url) => !(isProduction && isPlain(url)),
      'must begin with https:// in production: keys are sent there',
    ),
    v.must(
      (url) => !isPlain(url) || isPrivate(new URL(url).hostname),
      'must begin with https://, unless the shop is at a loopback or private address',
    ),
  )

const stateDir = v.withDefault('AGENT_STATE_DIR', v.path, '/var/lib/hedgerow-agent')

const variablesFor = (isProduction: boolean) => ({
  ...checkedCertificates(isProduction),
  /** A page of the internet that the node is tried with, as a customer would. Undefined: the shop's own. */
  probeUrl: v.optional('AGENT_PROBE_URL', v.url(v.HTTP)),
  /** The shop's address, without a slash at its end. */
  apiUrl: v.required(
    'AGENT_API_URL',
    apiUrl(isProduction),
    'is required: the address of the shop, like https://shop.example',
  ),
  /** The enrolment token. Undefined once the node has enrolled. */
  token: v.optional('AGENT_TOKEN', token),
  stateDir,
  interfaceName: v.withDefault('AGENT_INTERFACE', interfaceName, 'wg0'),
  /** Undefined: those with a default route. */
  uplink: v.optional('AGENT_UPLINK', interfaceName),
  /** Of the tunnel. Undefined: what the shop says, or else what fits into the packets of the uplink. */
  mtu: v.optional('AGENT_MTU', v.wholeNumber(TUNNEL_MTU.least, TUNNEL_MTU.most)),
  listsDir: v.optional('AGENT_LISTS_DIR', v.path),
  /** Where `lists update` fetches each list from. */
  adsUrls: v.list('AGENT_LIST_ADS', listUrl),
  maliciousUrls: v.list('AGENT_LIST_MALICIOUS', listUrl),
  familyUrls: v.list('AGENT_LIST_FAMILY', listUrl),
  /** Fewer names than that replace no list. */
  listsFloor: v.withDefault('AGENT_LISTS_FLOOR', v.wholeNumber(1, 10_000_000), 1_000),
  /** Names that no list may block, besides the shop's. */
  listsAllowed: v.list('AGENT_LISTS_ALLOW', domain),
  /** Of the uplink, in Mbit/s. */
  bandwidth: v.withDefault('AGENT_BANDWIDTH', v.wholeNumber(1, 400_000), 1000),
  /** Percent of the bandwidth that priority connections are sure of. */
  priorityShare: v.withDefault('AGENT_PRIORITY_SHARE', v.wholeNumber(1, 99), 80),
  /** Whose signature a version must have that the agent installs by itself. Undefined: it installs none. */
  releaseKey: v.optional('AGENT_RELEASE_KEY', releaseKey),
  /** The launcher says so: what has been fetched is run by it. */
  hasLauncher: v.withDefault('AGENT_LAUNCHER', v.onOff, false),
  metricsPort: v.withDefault('AGENT_METRICS_PORT', v.port, 9465),
  isUsageReported: v.withDefault('AGENT_USAGE', v.onOff, false),
  logLevel: v.withDefault('AGENT_LOG_LEVEL', v.logLevel, 'info'),
})

type Read = Values<ReturnType<typeof variablesFor>>
export type Settings = Readonly<
  Read & { listsDir: string; listUrls: Readonly<Record<FilterList, readonly string[]>> }
>

/** For what is done before there are other settings. */
export const readStateDir = (env: Environment): string => readVariables({ stateDir }, env).stateDir

/** Reads and checks every variable; throws one SettingsError that names all that is wrong. */
export const readSettings = (env: Environment): Settings => {
  const read = readVariables(variablesFor(env.NODE_ENV === 'production'), env)
  return {
    ...read,
    listsDir: read.listsDir ?? join(read.stateDir, 'lists'),
    listUrls: { ads: read.adsUrls, malicious: read.maliciousUrls, family: read.familyUrls },
  }
}
