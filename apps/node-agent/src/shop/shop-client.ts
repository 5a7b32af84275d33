import { isIPv4, isIPv6 } from 'node:net'
import {
  AgentChanges,
  type AgentNode,
  AgentPeer,
  type AgentReport,
  type AgentUpgradeReport,
  ARCHIVE_PART_BYTES,
  agentArchive,
  agentChanges,
  agentReport,
  agentUpgradeReport,
  enrolAgent,
} from '@hedgerow/contract/agents'
import { type Endpoint, replyBytesOf } from '@hedgerow/contract/endpoint'
import { REQUEST_ID_HEADER } from '@hedgerow/contract/request-id'
import { addressesAt, NODE_POSITION } from '@hedgerow/domain/addresses'
import { type Answer, postJson, receive, send, Unreachable } from '@hedgerow/io/post-json'
import * as z from 'zod/mini'
import type { Log } from '#runtime/log.ts'

/** The shop answered, and said no. */
export class ShopRefusal extends Error {
  readonly status: number
  /** `requestId` finds the call in the shop's log. */
  constructor(status: number, requestId?: string | string[]) {
    super(
      requestId
        ? `The shop answered ${status} (its reference is ${requestId})`
        : `The shop answered ${status}`,
    )
    this.status = status
  }
}

/** The shop answered what it cannot mean. What it was is not said: it may name customers' keys. */
export class BadAnswer extends Error {}

/** Longer than an answer may wait for changes. */
const ANSWER_WITHIN_MS = 45_000

const isInstant = (text: string | null) => text === null || Number.isFinite(Date.parse(text))

/** What the contract leaves to us: these texts go to the kernel. */
const isSoundPeer = ({ ipv4, ipv6, expiresAt, removeAt }: AgentPeer): boolean =>
  isIPv4(ipv4) && isIPv6(ipv6) && !ipv6.includes('%') && isInstant(expiresAt) && isInstant(removeAt)

const isSoundNode = ({ ipv4, ipv6 }: AgentNode): boolean => {
  const [[address4 = '', prefix4], [address6 = '', prefix6]] = [ipv4.split('/'), ipv6.split('/')]
  const isNetwork = isIPv4(address4) && isIPv6(address6) && !address6.includes('%')
  if (!isNetwork || !/^\d{1,2}$/.test(prefix4 ?? '') || !/^\d{1,3}$/.test(prefix6 ?? '')) return false
  try {
    return isIPv6(addressesAt({ ipv4, ipv6 }, NODE_POSITION).ipv6)
  } catch {
    return false
  }
}

const check = <T extends z.core.$ZodType>(schema: T, answer: unknown): z.output<T> => {
  const { success, data, error } = z.safeParse(schema, answer)
  if (success) return data
  throw new BadAnswer(`An answer from the shop is not valid at "${error.issues[0]?.path.join('.')}"`)
}

/** One peer that makes no sense is not to keep the others waiting. */
const Envelope = z.extend(AgentChanges, { peers: z.array(z.unknown()) })
const Named = z.object({ id: z.string() })

/** What the shop says has changed. Of peers that make no sense only the ids are known, if those are there. */
export type Changes = AgentChanges & { malformed: string[] }

const readChanges = (answer: unknown): Changes => {
  const { peers, ...rest } = check(Envelope, answer)
  const sound: AgentPeer[] = []
  const malformed: string[] = []
  for (const one of peers) {
    const { data } = z.safeParse(AgentPeer, one)
    if (data && isSoundPeer(data)) sound.push(data)
    else malformed.push(z.safeParse(Named, one).data?.id ?? '')
  }
  return { ...rest, peers: sound, malformed }
}

/** A clock that is wrong makes every certificate look wrong, so that the shop cannot say what time it is. */
export const inWords = (why: string, now = new Date()): string => {
  if (why === 'REDIRECT') return 'it sends to another address: set AGENT_API_URL to that one'
  const [, kind] = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.exec(why) ?? []
  if (!kind) return why
  const [how, end] =
    kind === 'HAS_EXPIRED' ? ['has expired', ', or renew the certificate'] : ['is not valid yet', '']
  return `its certificate ${how} by this server's clock, which says ${now.toISOString()}: correct the clock${end} (${why})`
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadAnswer('An answer of the shop is no JSON')
  }
}

const reach = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: Error) => {
    const why = error instanceof Unreachable ? error.code : error.message
    throw new Error(`The shop cannot be reached: ${inWords(why)}`)
  })

type Listeners = {
  signal: AbortSignal
  /** Called with what time it is at the shop. */
  onTime: (shopTime: number) => void
  log: Log
}

/** Speaks the protocol of an agent. Every answer is checked before anyone sees it. */
export const createShopClient = (apiUrl: string, secret: string, { signal, onTime, log }: Listeners) => {
  const asking = (path: string) => ({
    // An enrolment proves itself by its token.
    headers: (path === enrolAgent.url ? {} : { authorization: `Bearer ${secret}` }) as Record<string, string>,
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  })
  const accept = ({ status, headers }: Pick<Answer, 'status' | 'headers'>) => {
    if (status !== 200) throw new ShopRefusal(status, headers[REQUEST_ID_HEADER])
  }
  const request = async (endpoint: Endpoint, body?: unknown, query = ''): Promise<unknown> => {
    const address = `${apiUrl}${endpoint.url}${query}`
    const how = { ...asking(endpoint.url), mostBytes: replyBytesOf(endpoint) }
    const call =
      body === undefined
        ? send(address, { method: 'GET', ...how })
        : postJson(address, JSON.stringify(body), how)
    const answer = await reach(call)
    accept(answer)
    const value = readJson(answer.text)
    // Only now: what is no JSON came from somebody else.
    onTime(Date.parse(answer.headers.date ?? ''))
    return value
  }
  return {
    enrol: async (body: { token: string; publicKey: string; secret: string }): Promise<AgentNode> => {
      const answer = await request(enrolAgent, body)
      const node = check(enrolAgent.schema.response[200], answer)
      if (!isSoundNode(node)) throw new BadAnswer('The shop sent address pools that are not valid')
      return node
    },
    /** `about` says what asks. */
    changes: async (since: number, wait: number, about: Record<string, string> = {}): Promise<Changes> => {
      const query = new URLSearchParams({ since: String(since), wait: String(wait), ...about })
      const changes = readChanges(await request(agentChanges, undefined, `?${query}`))
      if (!isSoundNode(changes.node)) throw new BadAnswer('The shop sent address pools that are not valid')
      const count = changes.malformed.length
      if (count > 0) log.error({ count }, 'The shop sent peers that are not valid; the others are served')
      return changes
    },
    report: async (report: AgentReport): Promise<void> => {
      check(agentReport.schema.response[200], await request(agentReport, report))
    },
    /** A piece of an archive, as long as it is to be and no longer. */
    archivePart: async (upgrade: string, part: number, length: number): Promise<Buffer> => {
      const { url } = agentArchive
      const response = await reach(receive(`${apiUrl}${url}?upgrade=${upgrade}&part=${part}`, asking(url)))
      const { statusCode: status = 0, headers } = response
      const chunks: Buffer[] = []
      let got = 0
      try {
        accept({ status, headers })
        for await (const chunk of response as AsyncIterable<Buffer>) {
          got += chunk.length
          if (got > Math.min(length, ARCHIVE_PART_BYTES)) break
          chunks.push(chunk)
        }
      } finally {
        response.destroy()
      }
      if (got !== length) throw new BadAnswer('The shop sent a piece of an archive of another length')
      return Buffer.concat(chunks)
    },
    upgradeReport: async (report: AgentUpgradeReport): Promise<void> => {
      const answer = await request(agentUpgradeReport, report)
      check(agentUpgradeReport.schema.response[200], answer)
    },
  }
}

export type ShopClient = ReturnType<typeof createShopClient>
