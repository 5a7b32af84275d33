import { type LookupAddress, lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@hedgerow/domain/networks'
import { request as requestPlain } from '@hedgerow/io/node-http'

const TIME_MS = 10_000
/** More of an answer is not read. */
const ANSWER_BYTES = 16_384

/** `isAnywhere`: in development, where receivers run on this machine and without TLS. */
export type Reach = { isAnywhere: boolean }

class NotPublic extends Error {
  readonly code = 'NOT_PUBLIC'
}

/** Why an address cannot be one to post to; undefined when it can. Names are looked up when it is posted to. */
export const addressFault = (address: string, { isAnywhere }: Reach): string | undefined => {
  if (!URL.canParse(address)) return 'Please enter an address that begins with https://.'
  const { protocol, username, password, hostname } = new URL(address)
  if (protocol !== 'https:' && !(isAnywhere && protocol === 'http:'))
    return 'The address has to begin with https://.'
  if (username || password) return 'The address cannot hold a name or a password.'
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!isAnywhere && isIP(host) && !isPublicAddress(host))
    return 'The address has to be one that anyone on the internet can reach.'
  return undefined
}

/** The addresses that are connected to are those that were looked at: no second look-up comes between. */
const lookUpPublic: LookupFunction = (host, options, found) =>
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return found(error ?? new Error(`${host} has no address`), '', 0)
    if (!addresses.every((one: LookupAddress) => isPublicAddress(one.address)))
      return found(new NotPublic(`${host} leads into a network that is not public`), '', 0)
    return options.all ? found(null, addresses) : found(null, first.address, first.family)
  })

const FAULTS: Readonly<Record<string, string>> = {
  NOT_PUBLIC: 'its host leads into a network that is not public',
  ENOTFOUND: 'its host was not found',
  EAI_AGAIN: 'its host was not found',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  ABORT_ERR: `it did not answer within ${TIME_MS / 1_000} seconds`,
}

const faultOf = ({ code = 'unknown' }: NodeJS.ErrnoException): string =>
  FAULTS[code] ??
  (/CERT|SSL|TLS|SIGNED|SIGNATURE|ALTNAME/.test(code) ? `its certificate is not accepted (${code})` : code)

export type Outcome = { status: number } | { error: string }

const read = (answer: IncomingMessage, settle: (outcome: Outcome) => void): void => {
  const status = answer.statusCode ?? 0
  let bytes = 0
  const end = () => {
    settle({ status })
    answer.destroy()
  }
  answer.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > ANSWER_BYTES) end()
  })
  // What was answered counts, whatever becomes of the rest.
  answer.on('end', end).on('error', end)
}

/** Sends it once, follows no redirect, and always settles within ten seconds. */
export const postOutside = (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  reach: Reach,
): Promise<Outcome> =>
  new Promise((settle) => {
    const fault = addressFault(address, reach)
    if (fault) return settle({ error: 'its address is not allowed' })
    const url = new URL(address)
    const sent = (url.protocol === 'http:' ? requestPlain : request)(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(TIME_MS),
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      ...(reach.isAnywhere ? {} : { lookup: lookUpPublic }),
    })
    sent.on('response', (answer) => read(answer, settle))
    sent.on('error', (error) => settle({ error: faultOf(error) }))
    sent.end(body)
  })
