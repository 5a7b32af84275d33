import { isIPv4, isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'

export type Settings = Readonly<{
  /** The shop's address, without a slash at its end. */
  apiUrl: string
  /** The enrolment token. Undefined once the node has enrolled. */
  token: string | undefined
  stateDir: string
  interfaceName: string
  /** Undefined: the interface with the default route. */
  uplink: string | undefined
  listsDir: string
  /** Of the uplink, in Mbit/s. */
  bandwidth: number
  /** Percent of the bandwidth that priority connections are sure of. */
  priorityShare: number
  metricsPort: number
  isUsageReported: boolean
  logLevel: string
}>

type Environment = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with the environment, one line each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
/** What the kernel takes as an interface's name; no dash first, since it is handed to commands. */
const INTERFACE = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,14}$/
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const PRIVATE_IPV4 = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/
const PRIVATE_IPV6 = /^(::1$|f[cd])/i

/** Loopback and private addresses, where a shop under test may be. */
const isNear = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIPv4(host)) return PRIVATE_IPV4.test(host)
  return isIPv6(host) ? PRIVATE_IPV6.test(host) : host === 'localhost'
}

const faultOfApiUrl = (text: string | undefined, isProduction: boolean): string | undefined => {
  if (!text) return 'AGENT_API_URL is required: the address of the shop, as https://shop.example'
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    return 'AGENT_API_URL must be an address that begins with https://'
  if (url.username || url.search || url.hash)
    return 'AGENT_API_URL must be an address without name, query or hash'
  if (url.protocol === 'http:' && isProduction)
    return 'AGENT_API_URL must begin with https:// in production: keys pass there'
  if (url.protocol === 'http:' && !isNear(url.hostname))
    return 'AGENT_API_URL must begin with https://, unless the shop is at a loopback or private address'
  return undefined
}

/** Reads and checks every variable; throws one SettingsError that names all that is wrong. */
export const readSettings = (env: Environment): Settings => {
  const faults: string[] = []
  const expect = (isRight: boolean, fault: string) => void (isRight || faults.push(fault))
  const number = (name: string, unset: number, min: number, max: number): number => {
    const value = env[name] ? Number(env[name]) : unset
    const isRight = Number.isInteger(value) && value >= min && value <= max
    expect(isRight, `${name} must be a whole number from ${min} to ${max}, not "${env[name]}"`)
    return value
  }

  const urlFault = faultOfApiUrl(env.AGENT_API_URL, env.NODE_ENV === 'production')
  if (urlFault) faults.push(urlFault)
  const token = env.AGENT_TOKEN || undefined
  expect(!token || TOKEN.test(token), 'AGENT_TOKEN must be the 43 characters that "ops node add" printed')
  const interfaceName = env.AGENT_INTERFACE || 'wg0'
  const uplink = env.AGENT_UPLINK || undefined
  expect(INTERFACE.test(interfaceName), `AGENT_INTERFACE: "${interfaceName}" is no name of an interface`)
  expect(!uplink || INTERFACE.test(uplink), `AGENT_UPLINK: "${uplink}" is no name of an interface`)
  const usage = env.AGENT_USAGE || 'off'
  expect(usage === 'on' || usage === 'off', `AGENT_USAGE must be on or off, not "${usage}"`)
  const logLevel = env.AGENT_LOG_LEVEL || 'info'
  expect(LOG_LEVELS.includes(logLevel), `AGENT_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`)
  const stateDir = resolve(env.AGENT_STATE_DIR || '/var/lib/hedgerow-agent')

  const settings = {
    apiUrl: (env.AGENT_API_URL ?? '').replace(/\/+$/, ''),
    token,
    stateDir,
    interfaceName,
    uplink,
    listsDir: resolve(env.AGENT_LISTS_DIR || join(stateDir, 'lists')),
    bandwidth: number('AGENT_BANDWIDTH', 1000, 1, 400_000),
    priorityShare: number('AGENT_PRIORITY_SHARE', 80, 1, 99),
    metricsPort: number('AGENT_METRICS_PORT', 9465, 0, 65_535),
    isUsageReported: usage === 'on',
    logLevel,
  }
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
  return settings
}
