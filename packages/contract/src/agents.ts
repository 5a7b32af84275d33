import { FILTER_CHOICES } from '@hedgerow/domain/filters'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { machineRoutes } from './machine-routes.ts'

/** 32 bytes in Base64, as WireGuard writes keys. */
const Key = z.string().check(z.regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/))
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

/** What an agent has to know of its node, besides the peers. */
export const AgentNode = z.object({
  id: Uuid,
  name: z.string(),
  /** UDP port that WireGuard listens on. */
  listenPort: z.int().check(z.gte(1), z.lte(65_535)),
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
})
export type AgentChanges = z.infer<typeof AgentChanges>

/** Bytes since the last report that was accepted, as the peer's tunnel carried them. */
const Usage = z.object({
  id: Uuid,
  received: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
  sent: z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
})

export const REPORTED_AT_ONCE = 500

export const AgentReport = z.object({
  /** Grows with each report; one that comes again is taken once. Unix milliseconds of its making serve well. */
  number: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  /** Peers that were connected today and were not reported today before. No times, no addresses. */
  connected: z.array(Uuid).check(z.maxLength(REPORTED_AT_ONCE)),
  /** Empty, unless the operator turned usage on. */
  usage: z.array(Usage).check(z.maxLength(REPORTED_AT_ONCE)),
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
  problems: [401, 409],
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
      /** How many names each of its block lists has: 'ads:120000,malicious:0'. Left out until it has read them. */
      lists: z.optional(
        z.string().check(z.maxLength(200), z.regex(/^[a-z]{1,20}:\d{1,9}(?:,[a-z]{1,20}:\d{1,9})*$/)),
      ),
    }),
    response: { 200: AgentChanges },
  },
})

export const agentReport = endpoint({
  ...machineRoutes.agentReport,
  access: 'agent',
  summary: 'Which peers were connected today',
  schema: { body: AgentReport, response: { 200: z.object({}) } },
})
