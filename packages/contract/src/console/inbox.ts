import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  MESSAGE_AUTHORS,
  MESSAGE_TEXT,
} from '@hedgerow/domain/conversations'
import * as z from 'zod/mini'
import { longText, Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, optional, shapeOf, text, tick, words } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-lastMessageAt', 'lastMessageAt', 'waitingSince', '-waitingSince'] as const
const STATES = [...new Set([...CONVERSATION_STATES.support, ...CONVERSATION_STATES.application])] as [
  (typeof CONVERSATION_STATES)['support' | 'application'][number],
]

const filters = {
  waits: optional(choice('Needs an answer', [['yes', 'Needs an answer']])),
  kind: optional(
    choice('Kind', [
      ['support', 'Support'],
      ['application', 'White label'],
    ]),
  ),
  state: optional(
    choice('Status', [
      ['new', 'New'],
      ['answered', 'Answered'],
      ['closed', 'Closed'],
      ['talking', 'Talking'],
      ['accepted', 'Accepted'],
      ['refused', 'Refused'],
    ]),
  ),
  of: optional(
    choice('Whose', [
      ['me', 'Mine'],
      ['nobody', 'Nobody’s'],
    ]),
  ),
  unread: optional(choice('Unread', [['yes', 'Unread only']])),
  customerId: optional(text('Customer', Uuid)),
}

/** Names as far as one knows them already. */
export const ListedConversation = z.object({
  id: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  state: z.enum(STATES),
  name: z.string(),
  lastMessageAt: Time,
  /** When its writer began to wait for an answer; null: nobody waits. */
  waitingSince: z.nullable(Time),
  /** The first sentence of what was written last, names and addresses masked. Null for those who may not open it. */
  topic: z.nullable(z.string()),
  /** Whose turn it is follows from that. */
  lastAuthor: z.nullable(z.enum(MESSAGE_AUTHORS)),
  /** Null: without an account. */
  customerId: z.nullable(z.string()),
  assignedTo: z.nullable(z.object({ id: z.string(), name: z.string() })),
  isUnread: z.boolean(),
})
export type ListedConversation = z.infer<typeof ListedConversation>

const inboxColumns = columnsOf<ListedConversation>([
  { name: 'id', title: 'Conversation', kind: 'id' },
  { name: 'lastMessageAt', title: 'Last message', kind: 'time', sort: 'lastMessageAt' },
  { name: 'waitingSince', title: 'Waiting since', kind: 'time', sort: 'waitingSince' },
  { name: 'lastAuthor', title: 'Last author', kind: 'word' },
  { name: 'kind', title: 'Kind', kind: 'word' },
  { name: 'state', title: 'Status', kind: 'word' },
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'customerId', title: 'Customer', kind: 'id' },
])

const sees = {
  access: 'operator',
  permission: 'conversations.see',
  consequence: 'looks',
  record: 'reads',
} as const

export const listInbox = operatorEndpoint({
  ...consoleRoutes.listInbox,
  ...sees,
  summary: 'Messages to support, questions and white-label applications',
  fields: filters,
  columns: inboxColumns,
  schema: { querystring: listQuery(SORTS, shapeOf(filters)), response: { 200: pageOf(ListedConversation) } },
})

export const exportInbox = operatorEndpoint({
  ...consoleRoutes.exportInbox,
  ...sees,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(filters)), response: {} },
})

const ofConversation = z.object({ conversationId: Uuid })

export const ConversationPage = z.extend(ListedConversation, {
  email: z.string(),
  createdAt: Time,
  messages: z.array(
    z.object({
      id: z.string(),
      author: z.enum(MESSAGE_AUTHORS),
      /** The operator who wrote it; null: the customer did, or the record no longer says. */
      by: z.nullable(z.string()),
      text: z.string(),
      at: Time,
    }),
  ),
})
export type ConversationPage = z.infer<typeof ConversationPage>

export const openConversation = operatorEndpoint({
  ...consoleRoutes.openConversation,
  access: 'operator',
  permission: 'conversations.open',
  consequence: 'opens',
  record: { opens: 'support show', subject: 'conversationId' },
  summary: 'What was written; it counts as seen. The look is recorded',
  schema: { params: ofConversation, response: { 200: ConversationPage } },
  problems: [404],
})

const message = (label: string) => ({
  kind: 'words' as const,
  label,
  most: MESSAGE_TEXT.max,
  schema: longText(MESSAGE_TEXT, {
    required: 'Please write an answer.',
    short: 'Please write an answer.',
    long: `An answer has ${MESSAGE_TEXT.max} characters at most.`,
  }),
})

const replyFields = {
  text: message('Reply'),
  closes: tick('Close the conversation too'),
  isAgain: tick('Send the same text once more', { hint: 'Within a few minutes it is taken for a repeat' }),
}

export const replyInInbox = operatorEndpoint({
  ...consoleRoutes.replyInInbox,
  access: 'operator',
  permission: 'conversations.reply',
  consequence: 'writes',
  record: { changes: 'support reply', subject: 'conversationId', keeps: ['closes'] },
  summary:
    'Reply: it is kept in the conversation and emailed once, and the conversation is yours if it was nobody’s. {name} and {operator} are filled in',
  fields: replyFields,
  schema: {
    params: ofConversation,
    body: z.object({
      ...shapeOf(replyFields),
      /** The newest message that was read before this was written: one that came since is read first. Only a shell may leave it out. */
      after: z.optional(Uuid),
    }),
    response: { 200: z.object({ isNew: z.boolean() }) },
  },
  problems: [404, 409],
})

export const closeInInbox = operatorEndpoint({
  ...consoleRoutes.closeInInbox,
  access: 'operator',
  permission: 'conversations.reply',
  consequence: 'settles',
  record: { changes: 'support close', subject: 'conversationId' },
  summary: 'Close what needs nothing more. The customer gets no email, and can open it again by replying',
  done: 'Closed',
  schema: { params: ofConversation, response: { 200: z.object({ isChanged: z.boolean() }) } },
  problems: [404],
})

const decisionFields = {
  state: choice('Status', [
    ['talking', 'We are talking'],
    ['accepted', 'Accepted'],
    ['refused', 'Refused'],
  ]),
  note: optional({
    ...words('A note', 0, MESSAGE_TEXT.max),
    schema: z.union([z.literal(''), message('').schema]),
  }),
}

export const decideInInbox = operatorEndpoint({
  ...consoleRoutes.decideInInbox,
  access: 'operator',
  permission: 'applications.decide',
  consequence: 'writes',
  record: { changes: 'application set', subject: 'conversationId', keeps: ['state'] },
  summary: 'Set how an application stands. To take a decision back, set it to talking',
  asks: 'Save this decision? The applicant gets an email, which cannot be called back.',
  done: 'The applicant gets an email',
  fields: decisionFields,
  schema: {
    params: ofConversation,
    body: bodyOf(decisionFields),
    response: { 200: z.object({ isChanged: z.boolean() }) },
  },
  problems: [404, 409],
})

export const assignInInbox = operatorEndpoint({
  ...consoleRoutes.assignInInbox,
  access: 'operator',
  permission: 'conversations.reply',
  consequence: 'stays',
  record: { changes: 'support assign', subject: 'conversationId', keeps: ['to'] },
  summary: 'Say who answers. `from` is whom it was assigned to when it was looked at',
  schema: {
    params: ofConversation,
    body: z.object({ to: z.nullable(Uuid), from: z.nullable(Uuid) }),
    response: { 200: z.object({}) },
  },
  problems: [404, 409],
})

export const CannedReply = z.object({ id: z.string(), title: z.string(), text: z.string() })

export const listColleagues = operatorEndpoint({
  ...consoleRoutes.listColleagues,
  ...sees,
  summary: 'Operators who can answer',
  schema: { response: { 200: z.array(z.object({ id: z.string(), name: z.string() })) } },
})

export const listCannedReplies = operatorEndpoint({
  ...consoleRoutes.listCannedReplies,
  ...sees,
  summary: 'Answers that are given often',
  schema: { response: { 200: z.array(CannedReply) } },
})

const cannedFields = {
  title: text('Title', z.string().check(z.trim(), z.minLength(1, 'Please enter a title.'), z.maxLength(80))),
  text: words('Reply', 1, MESSAGE_TEXT.max, { hint: '{name} and {operator} are filled in when it is sent' }),
}

const changesCanned = {
  access: 'operator',
  permission: 'applications.decide',
  consequence: 'settles',
} as const

export const addCannedReply = operatorEndpoint({
  ...consoleRoutes.addCannedReply,
  ...changesCanned,
  record: { changes: 'canned-reply add' },
  summary: 'Save an answer that is given often',
  done: 'Saved',
  fields: cannedFields,
  schema: { body: bodyOf(cannedFields), response: { 201: z.object({ id: z.string() }) } },
  problems: [409],
})

export const removeCannedReply = operatorEndpoint({
  ...consoleRoutes.removeCannedReply,
  ...changesCanned,
  record: { changes: 'canned-reply remove', subject: 'replyId' },
  summary: 'Remove a saved reply',
  done: 'Removed',
  schema: { params: z.object({ replyId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
