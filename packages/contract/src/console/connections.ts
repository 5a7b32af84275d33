import { CONNECTION_STATUSES } from '@hedgerow/domain/connections'
import { GOODWILL_A_MONTH, GOODWILL_CAUSES, type GoodwillCause } from '@hedgerow/domain/goodwill'
import { EMAIL, plainEmail } from '@hedgerow/domain/mailboxes'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choiceOf, number, optional, queryTick, shapeOf, text, tick } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** 'cut-off': no node keeps it any more, so it cannot be extended. */
const STATUSES = [...CONNECTION_STATUSES, 'cut-off'] as const
export type ListedStatus = (typeof STATUSES)[number]

export const ListedConnection = z.object({
  id: z.string(),
  createdAt: Time,
  /** Its beginnings only, for those who may not open customers. */
  name: z.string(),
  status: z.enum(STATUSES),
  node: z.string(),
  expiresAt: z.nullable(Time),
  customerId: z.nullable(z.string()),
})
export type ListedConnection = z.infer<typeof ListedConnection>

const connectionFilters = {
  status: optional(choiceOf('Status', STATUSES, (status) => status.replaceAll('-', ' '))),
  node: optional(text('Node', z.string().check(z.maxLength(63)))),
  customerId: optional(text('Customer', Uuid)),
  withoutAccount: queryTick('Without an account', {
    hint: 'Those that were brought from another panel and wait for an address',
  }),
  keysOverdue: queryTick('Keys overdue', {
    hint: 'Those whose keys should have been renewed more than a day ago',
  }),
}
const SORTS = ['-createdAt', 'createdAt'] as const

const sees = {
  access: 'operator',
  permission: 'connections.see',
  consequence: 'looks',
  record: 'reads',
} as const
const lists = {
  ...sees,
  command: 'connection list',
  columns: columnsOf<ListedConnection>([
    { name: 'name', title: 'Name', kind: 'text' },
    { name: 'id', title: 'Connection', kind: 'id' },
    { name: 'status', title: 'Status', kind: 'word' },
    { name: 'node', title: 'Node', kind: 'word' },
    { name: 'expiresAt', title: 'Ends', kind: 'time' },
    { name: 'createdAt', title: 'Created', kind: 'time', sort: 'createdAt' },
    { name: 'customerId', title: 'Customer', kind: 'id', isExtra: true },
  ]),
} as const

export const listConsoleConnections = operatorEndpoint({
  ...consoleRoutes.listConsoleConnections,
  ...lists,
  summary: 'Connections, the newest first',
  fields: connectionFilters,
  schema: {
    querystring: listQuery(SORTS, shapeOf(connectionFilters)),
    response: { 200: pageOf(ListedConnection) },
  },
})

export const exportConnections = operatorEndpoint({
  ...consoleRoutes.exportConnections,
  ...lists,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(connectionFilters)), response: {} },
})

const ofConnection = z.object({ connectionId: Uuid })

export const ConnectionPage = z.extend(ListedConnection, {
  /** Null: it was brought from another panel, and never paid for here. */
  paymentId: z.nullable(z.string()),
  isNodeRemoved: z.boolean(),
  addresses: z.object({ ipv4: z.string(), ipv6: z.string() }),
  /** What was bought, and which filters of it are on. */
  features: z.array(z.object({ name: z.string(), isOn: z.nullable(z.boolean()) })),
  keysMadeAt: Time,
  /** Somebody wanted its keys, and they could not be opened. */
  isUnreadable: z.boolean(),
  /** Its customer made its key, which the shop does not have. */
  hasOwnKey: z.boolean(),
  /** Two devices seem to use it at once, and cut each other off. */
  isUsedTwice: z.boolean(),
  oldKeysUntil: z.nullable(Time),
  /** How often they are renewed, when that is next and was last, and whether its device still has the old ones, which work until then. */
  keyRenewal: z.nullable(z.object({ everyDays: z.int(), nextOn: z.nullable(z.string()) })),
  keysRenewedAt: z.nullable(Time),
  areKeysWaiting: z.boolean(),
  sharedAt: z.nullable(Time),
  sharedUntil: z.nullable(Time),
  /** Since when its file can be fetched from an address, and when that was done last. */
  fileAddressAt: z.nullable(Time),
  fileReadAt: z.nullable(Time),
  cutOffAt: z.nullable(Time),
  endedByHandAt: z.array(Time),
  renewals: z.array(z.object({ paymentId: z.string(), days: z.int(), oldEnd: Time, newEnd: Time, at: Time })),
  /** Days that the shop gave, and the operator; null: by the tool. */
  given: z.array(
    z.object({ days: z.int(), reason: z.string(), by: z.nullable(z.string()), newEnd: Time, at: Time }),
  ),
  cancelled: z.array(z.object({ paymentId: z.string(), at: Time })),
})
export type ConnectionPage = z.infer<typeof ConnectionPage>

export const getConsoleConnection = operatorEndpoint({
  ...consoleRoutes.getConsoleConnection,
  ...sees,
  command: 'connection show',
  summary: 'A connection; no key',
  schema: { params: ofConnection, response: { 200: ConnectionPage } },
  problems: [404],
})

const changes = (command: string) =>
  ({
    access: 'operator',
    permission: 'connections.change',
    consequence: 'customers',
    record: { changes: command, subject: 'connectionId', keeps: ['to', 'cutOffOld'] },
  }) as const
const changed = { 200: z.object({ isChanged: z.boolean() }) }

export const expireConsoleConnection = operatorEndpoint({
  ...consoleRoutes.expireConsoleConnection,
  ...changes('connection expire'),
  summary: 'End a connection now: its devices see a page that says why, and the customer can extend it',
  asks: 'End this connection now?',
  done: 'It has ended',
  schema: { params: ofConnection, response: changed },
  problems: [404],
})

export const revokeConsoleConnection = operatorEndpoint({
  ...consoleRoutes.revokeConsoleConnection,
  ...changes('connection revoke'),
  summary: 'End a connection now and remove it from its node at once, for good',
  asks: 'Revoke this connection? It is removed from its node at once, for good.',
  done: 'It is on no node any more',
  schema: { params: ofConnection, response: changed },
  problems: [404],
})

const moveFields = {
  to: text('Node', z.string().check(z.minLength(1, 'Please choose a node.'), z.maxLength(63))),
}

export const moveConsoleConnection = operatorEndpoint({
  ...consoleRoutes.moveConsoleConnection,
  ...changes('connection move'),
  summary:
    'Move a connection to another node. It gets new keys there, unless its customer made the key, and what it had stops working within a day. The customer gets a mail',
  asks: 'Move this connection to another node?',
  fields: moveFields,
  done: 'Moved. The customer gets a mail',
  schema: { params: ofConnection, body: bodyOf(moveFields), response: changed },
  problems: [404, 409],
})

const rekeyFields = {
  cutOffOld: tick('The old keys stop working at once, not when the new are used or a day has passed'),
}

export const rekeyConsoleConnection = operatorEndpoint({
  ...consoleRoutes.rekeyConsoleConnection,
  ...changes('connection rekey'),
  summary:
    'Give a connection new keys, for instance where the old ones cannot be opened. The customer gets a mail and has to scan its code again. Any link to it ends. Refused where its customer made the key',
  asks: 'Give this connection new keys?',
  fields: rekeyFields,
  done: 'New keys made. The customer gets a mail',
  schema: { params: ofConnection, body: bodyOf(rekeyFields), response: { 200: z.object({}) } },
  problems: [404, 409],
})

const extendFields = {
  days: number('Days', 1, GOODWILL_A_MONTH.more),
  because: choiceOf(
    'Reason',
    Object.keys(GOODWILL_CAUSES) as GoodwillCause[],
    (cause) => GOODWILL_CAUSES[cause],
  ),
  isAgain: tick('The same number of days once more is meant'),
}

export const extendConsoleConnection = operatorEndpoint({
  ...consoleRoutes.extendConsoleConnection,
  access: 'operator',
  permission: 'connections.give-days',
  consequence: 'gives',
  record: {
    changes: 'connection extend',
    subject: 'connectionId',
    keeps: ['days', 'because', 'isAgain'],
  },
  summary:
    'Add days to a connection as goodwill, once: free, with no invoice. The customer sees that the shop gave them',
  asks: 'Add these days? They are free, and the customer sees that the shop gave them.',
  fields: extendFields,
  done: 'Days added',
  schema: {
    params: ofConnection,
    body: bodyOf(extendFields),
    response: { 200: z.object({ isNew: z.boolean(), expiresAt: Time }) },
  },
  problems: [404, 409],
})

const assignFields = {
  email: text(
    'Email',
    z.string().check(z.overwrite(plainEmail), z.maxLength(254), z.regex(EMAIL, 'Please enter an email.')),
  ),
}

export const assignConsoleConnection = operatorEndpoint({
  ...consoleRoutes.assignConsoleConnection,
  access: 'operator',
  permission: 'connections.change',
  consequence: 'customers',
  record: { changes: 'connection assign', subject: 'connectionId' },
  summary:
    'Say whose a connection is that was brought from another panel without an email. It goes into the account with this address, or into a new one, and a mail says so once its server has been taken over',
  asks: 'Give this connection to the account with this address?',
  fields: assignFields,
  done: 'It has an account now',
  schema: { params: ofConnection, body: bodyOf(assignFields), response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const mailConsoleConnection = operatorEndpoint({
  ...consoleRoutes.mailConsoleConnection,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'writes',
  record: { changes: 'connection mail', subject: 'connectionId' },
  summary: 'Mail a connection to its owner again',
  done: 'The email is on its way',
  schema: { params: ofConnection, response: { 200: z.object({}) } },
  problems: [404, 409],
})
