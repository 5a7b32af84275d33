import { UPGRADE_STATES } from '@hedgerow/domain/node-upgrades'
import { NODE_STATES } from '@hedgerow/domain/nodes'
import * as z from 'zod/mini'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const NodeView = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  state: z.enum(NODE_STATES),
  isOpen: z.boolean(),
  isDemonstration: z.boolean(),
  timeZone: z.nullable(z.string()),
  /** Of its time zone's town, in degrees. */
  place: z.nullable(z.object({ country: z.string(), latitude: z.number(), longitude: z.number() })),
  layer: z.nullable(z.string()),
  ipv4: z.string(),
  ipv6: z.string(),
  exits: z.array(z.string()),
  peers: z.int(),
  addresses: z.object({ size: z.int(), free: z.int(), resting: z.int() }),
  /** Changes that its agent has not said it has made. */
  lag: z.int(),
  seenAt: z.nullable(Time),
  agent: z.object({
    /** Null: it does not say, since it is old, or there is none. */
    version: z.nullable(z.string()),
    arch: z.nullable(z.string()),
    /** False: it has no key to check archives by. */
    takesUpgrades: z.nullable(z.boolean()),
    /** It runs another version than the shop. */
    isApart: z.boolean(),
  }),
  /** The latest. */
  upgrade: z.nullable(
    z.object({
      /** Null: back to the one before. */
      version: z.nullable(z.string()),
      from: z.nullable(z.string()),
      state: z.enum(UPGRADE_STATES),
      reason: z.nullable(z.string()),
      at: Time,
    }),
  ),
  /** Names in each of its block lists; null: its agent has not said. */
  lists: z.nullable(z.record(z.string(), z.int())),
  /** Those of them that could not be replaced for weeks. */
  oldLists: z.array(z.string()),
  /** Of the token that nobody has used yet. */
  tokenExpiresAt: z.nullable(Time),
  createdAt: Time,
})
export type NodeView = z.infer<typeof NodeView>

const sees = { access: 'operator', permission: 'nodes.see', record: 'reads' } as const

export const listConsoleNodes = operatorEndpoint({
  ...consoleRoutes.listConsoleNodes,
  ...sees,
  summary: 'VPN servers',
  schema: { response: { 200: z.array(NodeView) } },
})

const ofNode = z.object({ name: z.string().check(z.minLength(1), z.maxLength(100)) })

export const getConsoleNode = operatorEndpoint({
  ...consoleRoutes.getConsoleNode,
  ...sees,
  summary: 'One VPN server',
  schema: { params: ofNode, response: { 200: NodeView } },
  problems: [404],
})

/** Shown once. Whoever has the token makes a server this node. */
export const Enrolment = z.object({
  token: z.string(),
  expiresAt: Time,
  /** On a bare server, where the archive of the agent is unpacked; and from a checkout. */
  install: z.string(),
  start: z.string(),
  /** Where the pool is larger than what the server may be able to hold. */
  warning: z.nullable(z.string()),
})

const text = (most: number) =>
  z.string().check(z.trim(), z.minLength(1, 'Please fill this in.'), z.maxLength(most))

export const NewNode = z.object({
  name: text(100),
  endpoint: text(300),
  ipv4: text(50),
  ipv6: text(100),
  timeZone: z.optional(z.string().check(z.maxLength(60))),
  layerId: z.optional(z.string().check(z.maxLength(60))),
})

export const addConsoleNode = operatorEndpoint({
  ...consoleRoutes.addConsoleNode,
  access: 'operator',
  permission: 'nodes.change',
  record: { changes: 'node add', subject: 'name', keeps: ['endpoint', 'ipv4', 'ipv6', 'timeZone'] },
  asksAgain: true,
  summary: 'Announce a node: it becomes one when its agent enrols',
  schema: { body: NewNode, response: { 201: Enrolment } },
  problems: [409],
})

const change = (command: string, ...keeps: string[]) =>
  ({
    access: 'operator',
    permission: 'nodes.change',
    record: { changes: command, subject: 'name', keeps },
  }) as const
const changed = { 200: z.object({ isChanged: z.boolean() }) }

export const drainConsoleNode = operatorEndpoint({
  ...consoleRoutes.drainConsoleNode,
  ...change('node drain'),
  summary: 'Give a node no new connections. Those it has stay',
  schema: { params: ofNode, response: changed },
  problems: [404],
})

export const openConsoleNode = operatorEndpoint({
  ...consoleRoutes.openConsoleNode,
  ...change('node open'),
  summary: 'Give a drained node new connections again',
  schema: { params: ofNode, response: changed },
  problems: [404],
})

export const placeConsoleNode = operatorEndpoint({
  ...consoleRoutes.placeConsoleNode,
  ...change('node place', 'timeZone'),
  summary: 'Say where a node is, by its time zone. Buyers are offered the nearest one',
  schema: { params: ofNode, body: z.object({ timeZone: text(60) }), response: { 200: z.object({}) } },
  problems: [404],
})

export const exitsOfConsoleNode = operatorEndpoint({
  ...consoleRoutes.exitsOfConsoleNode,
  ...change('node exits'),
  summary: 'The addresses that its customers appear from, where they differ from its agent’s',
  schema: {
    params: ofNode,
    body: z.object({ addresses: z.array(z.string().check(z.maxLength(60))).check(z.maxLength(16)) }),
    response: { 200: z.object({}) },
  },
  problems: [404],
})

export const tokenOfConsoleNode = operatorEndpoint({
  ...consoleRoutes.tokenOfConsoleNode,
  ...change('node token'),
  asksAgain: true,
  summary: 'A new enrolment token. The current agent is locked out',
  schema: { params: ofNode, response: { 201: Enrolment } },
  problems: [404],
})

export const clearConsoleNode = operatorEndpoint({
  ...consoleRoutes.clearConsoleNode,
  access: 'operator',
  permission: 'nodes.remove',
  record: { changes: 'node remove', subject: 'name' },
  asksAgain: true,
  summary:
    'Move some connections of a drained node to others; call it again until none is left. Their customers get a mail',
  schema: {
    params: ofNode,
    response: { 200: z.object({ moved: z.int(), noRoom: z.int(), left: z.int() }) },
  },
  problems: [404, 409],
})

export const removeConsoleNode = operatorEndpoint({
  ...consoleRoutes.removeConsoleNode,
  access: 'operator',
  permission: 'nodes.remove',
  record: { changes: 'node remove', subject: 'name' },
  asksAgain: true,
  summary: 'Remove a node that has no live connections',
  schema: { params: ofNode, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const upgradeConsoleNode = operatorEndpoint({
  ...consoleRoutes.upgradeConsoleNode,
  access: 'operator',
  permission: 'nodes.change',
  record: { changes: 'node upgrade', subject: 'name', keeps: ['to'] },
  asksAgain: true,
  summary:
    'Offer its agent the newest version that is stored for it, or the one that it ran before; or stop what has not begun',
  schema: {
    params: ofNode,
    body: z.object({ to: z.enum(['newest', 'former', 'stop']) }),
    response: { 200: z.object({}) },
  },
  problems: [404, 409],
})
