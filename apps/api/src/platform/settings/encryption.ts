/** Whether what is sent to the mail server or the database can be read on the way. */
import { isLoopback } from '@hedgerow/settings/hosts'
import type { Environment } from '@hedgerow/settings/read-variables'

/** What may follow the "?" of a mail server's address; the library takes options there that turn TLS off. */
const HARMLESS_MAIL_OPTIONS = new Set(['name', 'authMethod', 'region'])

/** A provider's own interface, by HTTPS; the scheme in place of SMTP's. */
export const isMailApi = ({ protocol }: URL): boolean => protocol === 'postmark:' || protocol === 'ses:'

/** Whether an address has what its provider's API is called with: a token, or a key and its secret. */
export const hasMailKeys = (address: string): boolean => {
  const url = new URL(address)
  if (!isMailApi(url)) return true
  // A sign that is escaped wrongly would be found when the first mail is sent.
  const isEscaped = !/%(?![0-9a-f]{2})/i.test(url.username + url.password)
  return isEscaped && url.username !== '' && (url.protocol !== 'ses:' || url.password !== '')
}

const mailHost = (url: URL): string => url.hostname.toLowerCase()

/** Whether the mailer can insist on TLS with a certificate that is checked, or the server is on this machine. */
export const isMailEncrypted = (address: string): boolean => {
  const url = new URL(address)
  const options = [...url.searchParams.keys()]
  return isLoopback(mailHost(url)) || options.every((name) => HARMLESS_MAIL_OPTIONS.has(name))
}

/** The address that the mailer is given: where mails leave this machine, not one goes out before STARTTLS. */
export const encryptedMailUrl = (address: string, mayBePlain: boolean): string => {
  const url = new URL(address)
  if (isMailApi(url) || mayBePlain || isLoopback(mailHost(url))) return address
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** By the driver's own rules: an option takes the place of the host, and a path is a socket. */
const databaseHosts = (url: URL, env: Environment): string[] => {
  const hosts = url.searchParams.getAll('host').filter(Boolean)
  if (hosts.length > 0) return hosts
  return [url.hostname || env.PGHOST || 'localhost']
}

/** A socket's folder may stand in the address with its slashes escaped. */
const isOnThisMachine = (host: string): boolean => /^(?:\/|%2f)/i.test(host) || isLoopback(host.toLowerCase())

/**
 * Whether the database is on this machine, or reached by TLS with a certificate of that very host. The driver takes
 * `require` and `verify-ca` for `verify-full` today and has said that it will not: only what means it for ever counts. It
 * reads an address with a blank in it in another way: then nothing is certain.
 */
export const isDatabaseEncrypted = (address: string, env: Environment): boolean => {
  const url = new URL(address)
  const modes = url.searchParams.getAll('sslmode')
  const isPlain = !/\s/.test(address) && /[?&]sslmode=verify-full(?:&|$)/.test(address)
  const isVerified = isPlain && modes.every((mode) => mode === 'verify-full')
  return isVerified || databaseHosts(url, env).every(isOnThisMachine)
}
