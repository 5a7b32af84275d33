import { ARCHITECTURES, LARGEST_ARCHIVE, Version } from '@hedgerow/agent-release/release'
import { Signature } from '@hedgerow/agent-release/signature'
import { FILTER_CHOICES } from '@hedgerow/domain/filters'
import { MINUTE_LIMITS } from '@hedgerow/domain/node-history'
import { LONGEST_UPGRADE_REASON, UPGRADE_REPORTS } from '@hedgerow/domain/node-upgrades'
import { LONGEST_FAULTS, MOST_OLD_PORTS, TUNNEL_MTU } from '@hedgerow/domain/nodes'
import { WIREGUARD_KEY } from '@hedgerow/domain/public-keys'
import { obfuscationFault } from '@hedgerow/wireguard/obfuscation'
import * as z from 'zod/mini'
import { BytesReply, endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { machineRoutes } from './machine-routes.ts'
import { Obfuscation } from './obfuscation.ts'

const Key = z.string().check(z.regex(WIREGUARD_KEY))
/** 32 bytes in URL-safe Base64 without padding: what an agent proves itself with. */
const Secret = z.string().check(z.regex(/^[\w-]{43}$/))

/** One customer's end of the tunnel, as the node is to keep it. Addresses come without prefix lengths. */
export const AgentPeer = z.object({
  id: Uuid,
  publicKey: Key,
  presharedKey: Key,
  ipv4: z.string(),
  ipv6: z.string(),
  /** The sum of the filters' bits (domain/filters). */
  filters: z.int().check(z.gte(0), z.lt(FILTER_CHOICES)),
  hasPriority: z.boolean(),
  /** From then on it reaches only the page that says so. Null: never. */
  expiresAt: z.nullable(Instant),
  /** When it goes from the node. Null: never. Not before expiresAt. */
  removeAt: z.nullable(Instant),
  /** It takes the place of another, which goes as soon as this one is first connected: say so at once. */
  isAwaited: z.boolean(),
})
export type AgentPeer = z.infer<typeof AgentPeer>

const Port = z.int().check(z.gte(1), z.lte(65_535))

/** The shop's own peer on a node, by which it tries whether the node is reached from outside. It gets no address. */
const ShopPeer = z.object({ publicKey: Key, presharedKey: Key })
export type ShopPeer = z.infer<typeof ShopPeer>

/** What an agent has to know of its node, besides the peers. */
export const AgentNode = z.object({
  id: Uuid,
  name: z.string(),
  /** UDP port that WireGuard listens on. */
  listenPort: Port,
  /** Ports that it listened on before, and still serves for files that name them. An older shop does not say them. */
  oldPorts: z._default(z.array(Port).check(z.maxLength(MOST_OLD_PORTS)), []),
  /** Another to serve, for networks that let only that one through, unless another program has it. An older shop has none. */
  secondPort: z.optional(Port),
  /** Of the tunnel. Null: what the uplink has room for. */
  mtu: z._default(z.nullable(z.int().check(z.gte(TUNNEL_MTU.least), z.lte(TUNNEL_MTU.most))), null),
  /** An older shop has none. */
  shopPeer: z.optional(ShopPeer),
  /** It speaks AmneziaWG with these. Left out: WireGuard. An older agent does not heed it, which it says by saying nothing of it. */
  obfuscation: z.optional(
    Obfuscation.check(z.refine((parameters) => obfuscationFault(parameters) === undefined)),
  ),
  /** The pools with their prefix lengths. The node itself has the first address of each. */
  ipv4: z.string(),
  ipv6: z.string(),
  /** What the page for the expired names and links to. */
  shop: z.object({ name: z.string(), renewUrl: z.string() }),
})
export type AgentNode = z.infer<typeof AgentNode>

const LARGEST_REVISION = Number.MAX_SAFE_INTEGER

/** How many changes come with one answer, so that a node applies them in small batches. */
export const CHANGES_AT_ONCE = 500
/** The longest that an answer waits for changes, in seconds. */
export const LONGEST_WAIT_S = 30

/**
 * A version that the agent is to install by itself, from an archive whose signature it checks by a key that the shop does
 * not have; or the one that it ran before, which it has kept.
 */
export const AgentUpgrade = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('archive'),
    id: Uuid,
    version: Version,
    arch: z.enum(ARCHITECTURES),
    bytes: z.int().check(z.gte(1), z.lte(LARGEST_ARCHIVE)),
    signature: Signature,
  }),
  z.object({ kind: z.literal('back'), id: Uuid }),
])
export type AgentUpgrade = z.infer<typeof AgentUpgrade>

export const AgentChanges = z.object({
  node: AgentNode,
  /** Ask from here the next time. */
  revision: z.int(),
  /** More is to be had at once. */
  hasMore: z.boolean(),
  /**
   * The revision asked from is older than what is remembered, or newer than all: ask from 0, and drop what the answers
   * do not name. To one that is doing so already it says nothing new.
   */
  isForgotten: z.boolean(),
  /** To be kept so from now on, whether they were there before or not. */
  peers: z.array(AgentPeer),
  /** To be removed, if they are there. */
  gone: z.array(z.object({ id: Uuid, publicKey: Key })),
  /** Only until the agent names it as known. */
  upgrade: z.optional(AgentUpgrade),
})
export type AgentChanges = z.infer<typeof AgentChanges>

/** Bytes since the last report that was accepted, as the peer's tunnel carried them. */
const Usage = z.object({
  id: Uuid,
  received: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
  sent: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
})

const upTo = (most: number) => z.int().check(z.gte(0), z.lte(most))

/** How the node fared in a minute, all of it together. */
export const AgentMinute = z.object({
  /** Unix time in minutes, by the shop's clock. One that the shop has is not taken again, and none that is older than a day. */
  minute: z.int().check(z.gte(0), z.lte(100_000_000)),
  /** The most that were connected at once. */
  peers: upTo(MINUTE_LIMITS.peers),
  /** Bytes, as the tunnels of all peers carried them. */
  received: upTo(MINUTE_LIMITS.bytes),
  sent: upTo(MINUTE_LIMITS.bytes),
  /** Percent of all processors. */
  processor: upTo(100),
  /** Lines of its log that said so. */
  errors: upTo(MINUTE_LIMITS.errors),
})
export type AgentMinute = z.infer<typeof AgentMinute>

export const REPORTED_AT_ONCE = 500

export const AgentReport = z.object({
  /** Grows with each report; one that comes again is taken once. Unix milliseconds of its making serve well. */
  number: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  /** Peers that were connected today and were not reported today before. No times, no addresses. */
  connected: z.array(Uuid).check(z.maxLength(REPORTED_AT_ONCE)),
  /** Empty, unless the operator turned usage on. */
  usage: z.array(Usage).check(z.maxLength(REPORTED_AT_ONCE)),
  /** Peers that two devices seem to use at once. Older agents do not say it. */
  usedTwice: z._default(z.array(Uuid).check(z.maxLength(REPORTED_AT_ONCE)), []),
  /** Those that are over and were not reported. Older agents do not say them; an older shop does not heed them. */
  minutes: z._default(z.array(AgentMinute).check(z.maxLength(REPORTED_AT_ONCE)), []),
})
export type AgentReport = z.infer<typeof AgentReport>

export const enrolAgent = endpoint({
  ...machineRoutes.enrolAgent,
  access: 'anyone',
  limits: [{ calls: 60, minutes: 10, by: 'address' }],
  summary:
    "Make a server a node, by the token that 'ops node add' printed. The same call again answers the same",
  schema: {
    /** `secret` becomes the agent's bearer token. */
    body: z.object({ token: Secret, publicKey: Key, secret: Secret }),
    response: { 200: AgentNode },
  },
  problems: [401, 409, 422],
})

export const agentChanges = endpoint({
  ...machineRoutes.agentChanges,
  access: 'agent',
  summary: 'What has changed on a node since a revision; waits until something has',
  schema: {
    querystring: z.object({
      since: z.coerce.number().check(z.int(), z.gte(0), z.lte(LARGEST_REVISION)),
      /** Seconds. */
      wait: z.coerce.number().check(z.int(), z.gte(0), z.lte(LONGEST_WAIT_S)),
      /** What asks: older agents do not say it. */
      version: z.optional(z.string().check(z.regex(/^[\w.+-]{1,40}$/))),
      arch: z.optional(z.string().check(z.regex(/^\w{1,20}$/))),
      /** Whether it has a key to check archives by, and can install what it is offered. */
      upgrades: z.optional(z.enum(['on', 'off'])),
      /** The upgrade that it knows of. */
      upgrade: z.optional(Uuid),
      /** How many names each of its block lists has: 'ads:120000,malicious:0'. Left out until it has read them. */
      lists: z.optional(
        z.string().check(z.maxLength(200), z.regex(/^[a-z]{1,20}:\d{1,9}(?:,[a-z]{1,20}:\d{1,9})*$/)),
      ),
      /** When each list that it fetches was last as its source has it, in seconds since 1970: 'ads:1795464000'. */
      listTimes: z.optional(
        z.string().check(z.maxLength(200), z.regex(/^[a-z]{1,20}:\d{1,11}(?:,[a-z]{1,20}:\d{1,11})*$/)),
      ),
      /**
       * Sentences, one a line, that say what customers do not get from the node at the moment; empty: they get all of it. Left out
       * until it is known, and by older agents.
       */
      faults: z.optional(z.string().check(z.maxLength(LONGEST_FAULTS), z.regex(/^[\P{Cc}\n]*$/u))),
      /** The public key of the shop's own peer that the node has. Older agents have none. */
      shopKey: z.optional(Key),
      /** The versions of parameters with which it can set up an obfuscated node. Older agents know none. */
      obfuscation: z.optional(z.string().check(z.regex(/^\d{1,3}(?:,\d{1,3}){0,9}$/))),
      /** Whether packets of any customer have arrived within the last moments. */
      customers: z.optional(z.enum(['yes', 'no'])),
    }),
    response: { 200: AgentChanges },
  },
})

export const agentReport = endpoint({
  ...machineRoutes.agentReport,
  access: 'agent',
  summary: 'Which peers were connected today, and how the node fared by the minute',
  schema: { body: AgentReport, response: { 200: z.object({}) } },
})

/** An archive is fetched in pieces of so many bytes; the last is shorter. */
export const ARCHIVE_PART_BYTES = 1024 * 1024

export const agentArchive = endpoint({
  ...machineRoutes.agentArchive,
  access: 'agent',
  replyBytes: ARCHIVE_PART_BYTES,
  summary: 'A piece of the archive of an upgrade that the agent is offered',
  schema: {
    querystring: z.object({
      upgrade: Uuid,
      part: z.coerce.number().check(z.int(), z.gte(0), z.lt(LARGEST_ARCHIVE / ARCHIVE_PART_BYTES)),
    }),
    response: { 200: BytesReply },
  },
  problems: [404],
})

export const AgentUpgradeReport = z.object({
  upgrade: Uuid,
  state: z.enum(UPGRADE_REPORTS),
  /** Why it was refused or failed, for operators. */
  reason: z.nullable(z.string().check(z.maxLength(LONGEST_UPGRADE_REASON))),
})
export type AgentUpgradeReport = z.infer<typeof AgentUpgradeReport>

export const agentUpgradeReport = endpoint({
  ...machineRoutes.agentUpgradeReport,
  access: 'agent',
  summary: 'How an upgrade goes. The same again changes nothing',
  schema: { body: AgentUpgradeReport, response: { 200: z.object({}) } },
  problems: [404],
})
