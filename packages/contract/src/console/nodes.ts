import { UPGRADE_STATES } from '@hedgerow/domain/node-upgrades'
import { NODE_STATES, TUNNEL_MTU } from '@hedgerow/domain/nodes'
import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, lines, number, optional, text, tick, withDefault } from './fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const NodeView = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  /** Ports that it listened on before, and serves for files that name them. */
  oldPorts: z.array(z.int()),
  /** Another that it serves; customers are offered it while it answers there. */
  secondPort: z.nullable(z.object({ port: z.int(), answers: z.boolean() })),
  /** Of its tunnel; null: its agent derives it from the uplink. */
  mtu: z.nullable(z.int()),
  /** It speaks AmneziaWG, for networks that block WireGuard. */
  isObfuscated: z.boolean(),
  state: z.enum(NODE_STATES),
  /** What its agent says does not work, in sentences. */
  faults: z.array(z.string()),
  /** Why it may not be reached from outside; it is sold all the same. */
  fromOutside: z.nullable(z.string()),
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
  /** That have not ended and are to be reached here; its other peers are old keys, which work until the new ones are used. */
  connections: z.int(),
  addresses: z.object({ size: z.int(), free: z.int(), resting: z.int() }),
  /** The changes that its agent was sent, and those that it says it has made. */
  revision: z.object({ told: z.int(), applied: z.int() }),
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
  /** Connected at once in each of the last 24 hours, on average; null where nothing was reported. */
  peersByHour: z.array(z.nullable(z.int())),
  /** Of those hours together; null: nothing was reported. */
  lastDay: z.nullable(
    z.object({
      peersMost: z.int(),
      receivedMB: z.int(),
      sentMB: z.int(),
      processorMost: z.int(),
      /** Percent of the handshakes that the shop sent; null: it sent none. */
      loss: z.nullable(z.number()),
      errors: z.int(),
    }),
  ),
})
export type NodeView = z.infer<typeof NodeView>

const sees = {
  access: 'operator',
  permission: 'nodes.see',
  consequence: 'looks',
  record: 'reads',
  columns: columnsOf<NodeView>([
    { name: 'name', title: 'Node', kind: 'text' },
    { name: 'id', title: 'ID', kind: 'id', isExtra: true },
    { name: 'endpoint', title: 'Endpoint', kind: 'text' },
    { name: 'oldPorts', title: 'Old ports', kind: 'word', isExtra: true },
    { name: 'secondPort', title: 'Second port', kind: 'pairs', isExtra: true },
    { name: 'mtu', title: 'MTU', kind: 'word', isExtra: true },
    { name: 'isObfuscated', title: 'Obfuscated', kind: 'yes', isExtra: true },
    { name: 'state', title: 'Status', kind: 'word' },
    { name: 'faults', title: 'Does not work', kind: 'word', isExtra: true },
    { name: 'fromOutside', title: 'From outside', kind: 'word', isExtra: true },
    { name: 'isDemonstration', title: 'Demonstration', kind: 'yes', isExtra: true },
    { name: 'layer', title: 'Layer', kind: 'text', isExtra: true },
    { name: 'timeZone', title: 'Time zone', kind: 'word', isExtra: true },
    { name: 'ipv4', title: 'IPv4 pool', kind: 'word', isExtra: true },
    { name: 'ipv6', title: 'IPv6 pool', kind: 'word', isExtra: true },
    { name: 'peers', title: 'Peers', kind: 'word' },
    { name: 'connections', title: 'Connections', kind: 'word', isExtra: true },
    { name: 'addresses', title: 'Addresses', kind: 'pairs' },
    { name: 'revision', title: 'Revision', kind: 'pairs' },
    { name: 'lag', title: 'Lag', kind: 'word' },
    { name: 'exits', title: 'Exits', kind: 'word', isExtra: true },
    { name: 'agent', title: 'Agent', kind: 'pairs' },
    { name: 'upgrade', title: 'Upgrade', kind: 'pairs', isExtra: true },
    { name: 'seenAt', title: 'Seen', kind: 'time' },
    { name: 'lists', title: 'Lists', kind: 'pairs', isExtra: true },
    { name: 'oldLists', title: 'Old lists', kind: 'word', isExtra: true },
    { name: 'tokenExpiresAt', title: 'Token works until', kind: 'time', isExtra: true },
    { name: 'createdAt', title: 'Added', kind: 'time', isExtra: true },
    { name: 'peersByHour', title: 'Peers by the hour', kind: 'word', isExtra: true },
    { name: 'lastDay', title: 'Last 24 hours', kind: 'pairs', isExtra: true },
  ]),
} as const

export const listConsoleNodes = operatorEndpoint({
  ...consoleRoutes.listConsoleNodes,
  ...sees,
  command: 'node list',
  summary: 'VPN servers, and how they stand',
  schema: { response: { 200: z.array(NodeView) } },
})

const ofNode = z.object({ name: z.string().check(z.minLength(1), z.maxLength(100)) })

export const getConsoleNode = operatorEndpoint({
  ...consoleRoutes.getConsoleNode,
  ...sees,
  command: 'node show',
  summary: 'One VPN server',
  schema: { params: ofNode, response: { 200: NodeView } },
  problems: [404],
})

const historyFields = {
  of: withDefault(
    choice('Of', [
      ['day', '24 hours'],
      ['month', '30 days'],
    ]),
    'day',
  ),
}

/** A step of five minutes, or of an hour. Null: nothing was reported in it. */
export const NodeStep = z.object({
  from: Time,
  /** Connected at once, on average. */
  peers: z.nullable(z.int()),
  /** Bytes from customers and to them, a second. */
  received: z.nullable(z.int()),
  sent: z.nullable(z.int()),
  /** Percent, at its highest. */
  processor: z.nullable(z.int()),
  /** Percent of the handshakes that the shop sent from outside; null: it sent none. */
  loss: z.nullable(z.number()),
  /** Minutes that its agent did not report. */
  missed: z.int(),
  /** In its agent's log. */
  errors: z.nullable(z.int()),
  /** Hours since the oldest of its block lists was as its source has it. */
  listsAge: z.nullable(z.int()),
})
export type NodeStep = z.infer<typeof NodeStep>

export const getNodeHistory = operatorEndpoint({
  ...consoleRoutes.getNodeHistory,
  access: 'operator',
  permission: 'nodes.see',
  consequence: 'looks',
  record: 'reads',
  command: 'node history',
  summary: 'How a VPN server fared: by five minutes for 24 hours, by the hour for 30 days',
  fields: historyFields,
  columns: columnsOf<NodeStep>([
    { name: 'from', title: 'From', kind: 'time' },
    { name: 'peers', title: 'Peers', kind: 'word' },
    { name: 'received', title: 'Received B/s', kind: 'word' },
    { name: 'sent', title: 'Sent B/s', kind: 'word' },
    { name: 'processor', title: 'Processor %', kind: 'word' },
    { name: 'loss', title: 'Loss %', kind: 'word' },
    { name: 'missed', title: 'Missed', kind: 'word' },
    { name: 'errors', title: 'Errors', kind: 'word' },
    { name: 'listsAge', title: 'Lists’ age, hours', kind: 'word' },
  ]),
  schema: { params: ofNode, querystring: bodyOf(historyFields), response: { 200: z.array(NodeStep) } },
  problems: [404],
})

/** Shown once. Whoever has the token makes a server this node. */
export const Enrolment = z.object({
  name: z.string(),
  token: z.string(),
  expiresAt: Time,
  /** On a bare server, where the archive of the agent is unpacked; and from a checkout. */
  install: z.string(),
  start: z.string(),
  /** Where the pool is larger than what the server may be able to hold. */
  warning: z.nullable(z.string()),
})

const filled = (most: number) =>
  z.string().check(z.trim(), z.minLength(1, 'Please fill this in.'), z.maxLength(most))

const ZONE = 'Where it is, like Europe/London: buyers are offered the nearest node'

const endpointField = text('Endpoint', filled(300), { hint: 'Host and UDP port, like vpn.example.org:51820' })
const localField = {
  allowLocal: tick('Allow a local endpoint', {
    hint: 'For a trial: an address that only this machine or its network reaches',
  }),
}

const newNode = {
  name: text('Name', filled(100), { hint: 'Customers see it, like London 1' }),
  timeZone: optional(text('Time zone', z.string().check(z.maxLength(60)), { hint: ZONE })),
  endpoint: endpointField,
  ...localField,
  ipv4: text('IPv4 pool', filled(50), {
    hint: 'Private addresses for its connections, like 10.80.0.0/16. It cannot be made larger later',
  }),
  ipv6: text('IPv6 pool', filled(100), { hint: 'Like fd80::/64' }),
  layerId: optional(
    text('Layer', z.string().check(z.maxLength(60)), {
      hint: 'Only for a node that serves one layer of plans: the id of that layer',
    }),
  ),
  obfuscated: tick('For networks that block WireGuard', {
    hint: 'It uses AmneziaWG 2.0: the server needs another program, and its customers another app. It cannot be changed later',
  }),
}
const TOKEN_IS_SECRET = 'The token is shown only once, and enrols one server as this node'

export const addConsoleNode = operatorEndpoint({
  ...consoleRoutes.addConsoleNode,
  access: 'operator',
  permission: 'nodes.change',
  consequence: 'access',
  record: {
    changes: 'node add',
    subject: 'name',
    keeps: ['endpoint', 'ipv4', 'ipv6', 'timeZone', 'obfuscated'],
  },
  summary: 'Add a node. It gets connections once its agent has enrolled',
  fields: newNode,
  done: TOKEN_IS_SECRET,
  schema: { body: bodyOf(newNode), response: { 201: Enrolment } },
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
  consequence: 'customers',
  summary: 'Give a node no new connections. Those it has stay',
  done: 'It gets no new connections',
  schema: { params: ofNode, response: changed },
  problems: [404],
})

export const openConsoleNode = operatorEndpoint({
  ...consoleRoutes.openConsoleNode,
  ...change('node open'),
  consequence: 'customers',
  summary: 'Give a drained node new connections again',
  done: 'It gets new connections again. Orders that wait for room are delivered within 30 seconds',
  schema: { params: ofNode, response: changed },
  problems: [404],
})

const placeFields = { timeZone: text('Time zone', filled(60), { hint: ZONE }) }

export const placeConsoleNode = operatorEndpoint({
  ...consoleRoutes.placeConsoleNode,
  ...change('node place', 'timeZone'),
  consequence: 'customers',
  summary: 'Say where a node is, by its time zone. Buyers are offered the nearest one',
  fields: placeFields,
  done: 'Saved',
  schema: { params: ofNode, body: bodyOf(placeFields), response: { 200: z.object({}) } },
  problems: [404],
})

const exitsFields = {
  addresses: {
    ...lines('Addresses', { hint: 'None if they are its agent’s' }),
    schema: z._default(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(16)), []),
  },
}

export const exitsOfConsoleNode = operatorEndpoint({
  ...consoleRoutes.exitsOfConsoleNode,
  ...change('node exits'),
  consequence: 'customers',
  summary:
    'The addresses that its customers appear from, where they differ from its agent’s. The page Am I protected? recognises customers by them',
  fields: exitsFields,
  done: 'Saved',
  schema: { params: ofNode, body: bodyOf(exitsFields), response: { 200: z.object({}) } },
  problems: [404],
})

/** What is said where it is written otherwise. */
export const MTU_FORM = `An MTU is a number from ${TUNNEL_MTU.least} to ${TUNNEL_MTU.most}, or auto.`

/** What is said where it is written otherwise. */
export const SECOND_PORT_FORM =
  'A second port is a number from 1 to 65535 that the agent does not use itself, or off.'

const changeFields = {
  endpoint: optional(endpointField),
  port: optional(
    number('Port', 1, 65_535, {
      hint: 'UDP, where the host stays the same. The old one is served too: let both through firewalls before the node',
    }),
  ),
  secondPort: optional(
    text('Second port', z.string().check(z.regex(/^(?:off|\d{1,5})$/, SECOND_PORT_FORM)), {
      hint: 'UDP, like 443, for networks that let little else through; off: none',
    }),
  ),
  mtu: optional(
    text('MTU', z.string().check(z.regex(/^(?:auto|\d{1,5})$/, MTU_FORM)), {
      hint: 'Of its tunnel; auto: what its agent derives from the uplink',
    }),
  ),
  ...localField,
}

export const changeConsoleNode = operatorEndpoint({
  ...consoleRoutes.changeConsoleNode,
  ...change('node change', 'endpoint', 'port', 'secondPort', 'mtu'),
  consequence: 'customers',
  summary:
    'Give a node another endpoint, port, second port or MTU. With another endpoint or port its customers are emailed that new configurations are waiting',
  asks: 'Change the endpoint? If the host changes, old configurations stop working once the old host no longer leads to this server.',
  fields: changeFields,
  done: 'Its agent follows within half a minute',
  schema: {
    params: ofNode,
    body: bodyOf(changeFields),
    response: {
      200: z.object({
        isChanged: z.boolean(),
        /** Who has to do what, in sentences. */
        effects: z.array(z.string()),
      }),
    },
  },
  problems: [404, 409],
})

export const resyncConsoleNode = operatorEndpoint({
  ...consoleRoutes.resyncConsoleNode,
  ...change('node resync'),
  consequence: 'stays',
  summary: 'Let its agent fetch everything again. Connections keep working',
  done: 'Its agent fetches everything again',
  schema: { params: ofNode, response: { 200: z.object({}) } },
  problems: [404],
})

export const tokenOfConsoleNode = operatorEndpoint({
  ...consoleRoutes.tokenOfConsoleNode,
  ...change('node token'),
  consequence: 'access',
  summary: 'A new enrolment token. The current agent is locked out',
  asks: 'Make a new token? Its agent is locked out until it enrols again. If the server has lost its key, all its connections need a new configuration.',
  done: TOKEN_IS_SECRET,
  schema: { params: ofNode, response: { 201: Enrolment } },
  problems: [404],
})

export const clearConsoleNode = operatorEndpoint({
  ...consoleRoutes.clearConsoleNode,
  access: 'operator',
  permission: 'nodes.remove',
  consequence: 'customers',
  record: { changes: 'node remove', subject: 'name' },
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
  consequence: 'customers',
  record: { changes: 'node remove', subject: 'name' },
  summary: 'Remove a node that has no live connections',
  schema: { params: ofNode, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const upgradeConsoleNode = operatorEndpoint({
  ...consoleRoutes.upgradeConsoleNode,
  access: 'operator',
  permission: 'nodes.change',
  consequence: 'access',
  record: { changes: 'node upgrade', subject: 'name', keeps: ['to'] },
  summary:
    'Offer its agent the newest version that is stored for it, or the one that it ran before; or stop what has not begun',
  schema: {
    params: ofNode,
    body: z.object({ to: z.enum(['newest', 'former', 'stop']) }),
    response: { 200: z.object({}) },
  },
  problems: [404, 409],
})
