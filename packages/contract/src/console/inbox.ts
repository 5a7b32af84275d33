import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  MESSAGE_AUTHORS,
  MESSAGE_TEXT,
} from '@hedgerow/domain/conversations'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-lastMessageAt', 'lastMessageAt'] as const
const STATES = [...new Set([...CONVERSATION_STATES.support, ...CONVERSATION_STATES.application])] as [
  (typeof CONVERSATION_STATES)['support' | 'application'][number],
]

const filters = {
  kind: z.optional(z.enum(CONVERSATION_KINDS)),
  state: z.optional(z.enum(STATES)),
  /** Whose they are to answer. */
  of: z.optional(z.enum(['me', 'nobody'])),
  unread: z.optional(z.enum(['yes'])),
  customerId: z.optional(Uuid),
}

/** Names as far as one knows them already. */
export const ListedConversation = z.object({
  id: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  state: z.enum(STATES),
  name: z.string(),
  lastMessageAt: Time,
  /** Whose turn it is follows from that. */
  lastAuthor: z.nullable(z.enum(MESSAGE_AUTHORS)),
  /** Null: without an account. */
  customerId: z.nullable(z.string()),
  assignedTo: z.nullable(z.object({ id: z.string(), name: z.string() })),
  isUnread: z.boolean(),
})
export type ListedConversation = z.infer<typeof ListedConversation>

const sees = { access: 'operator', permission: 'conversations.see', record: 'reads' } as const

export const listInbox = operatorEndpoint({
  ...consoleRoutes.listInbox,
  ...sees,
  summary: 'Messages to support, questions and white-label applications',
  schema: { querystring: listQuery(SORTS, filters), response: { 200: pageOf(ListedConversation) } },
})

export const exportInbox = operatorEndpoint({
  ...consoleRoutes.exportInbox,
  ...sees,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, filters), response: {} },
})

const ofConversation = z.object({ conversationId: Uuid })

export const ConversationPage = z.extend(ListedConversation, {
  createdAt: Time,
  messages: z.array(
    z.object({ id: z.string(), author: z.enum(MESSAGE_AUTHORS), text: z.string(), at: Time }),
  ),
})
export type ConversationPage = z.infer<typeof ConversationPage>

export const openConversation = operatorEndpoint({
  ...consoleRoutes.openConversation,
  access: 'operator',
  permission: 'conversations.open',
  record: { opens: 'support show', subject: 'conversationId' },
  summary: 'What was written; it counts as seen. The look is recorded',
  schema: { params: ofConversation, response: { 200: ConversationPage } },
  problems: [404],
})

export const ReplyRequest = z.object({
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(MESSAGE_TEXT.min, 'Please write an answer.'),
      z.maxLength(MESSAGE_TEXT.max, `An answer has ${MESSAGE_TEXT.max} characters at most.`),
    ),
  closes: z._default(z.boolean(), false),
  /** The newest message that was read before this was written: whoever wrote since is read first. */
  after: Uuid,
})

export const replyInInbox = operatorEndpoint({
  ...consoleRoutes.replyInInbox,
  access: 'operator',
  permission: 'conversations.reply',
  record: { changes: 'support reply', subject: 'conversationId', keeps: ['closes'] },
  summary: 'Reply: it is kept in the conversation and mailed once. {name} and {operator} are filled in',
  schema: { params: ofConversation, body: ReplyRequest, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const closeInInbox = operatorEndpoint({
  ...consoleRoutes.closeInInbox,
  access: 'operator',
  permission: 'conversations.reply',
  record: { changes: 'support close', subject: 'conversationId' },
  summary: 'Close what needs nothing more. The customer gets no mail, and can open it again by replying',
  schema: { params: ofConversation, response: { 200: z.object({ isChanged: z.boolean() }) } },
  problems: [404],
})

export const decideInInbox = operatorEndpoint({
  ...consoleRoutes.decideInInbox,
  access: 'operator',
  permission: 'applications.decide',
  record: { changes: 'application set', subject: 'conversationId', keeps: ['state'] },
  summary: 'Set how an application stands; the applicant is told by one mail, with the note',
  schema: {
    params: ofConversation,
    body: z.object({
      state: z.enum(['talking', 'accepted', 'refused']),
      note: z.optional(z.string().check(z.trim(), z.maxLength(MESSAGE_TEXT.max))),
    }),
    response: { 200: z.object({ isChanged: z.boolean() }) },
  },
  problems: [404, 409],
})

export const assignInInbox = operatorEndpoint({
  ...consoleRoutes.assignInInbox,
  access: 'operator',
  permission: 'conversations.reply',
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

const CannedRequest = z.object({
  title: z.string().check(z.trim(), z.minLength(1, 'Please enter a title.'), z.maxLength(80)),
  text: z.string().check(z.trim(), z.minLength(1, 'Please write the answer.'), z.maxLength(MESSAGE_TEXT.max)),
})

const changesCanned = { access: 'operator', permission: 'applications.decide' } as const

export const addCannedReply = operatorEndpoint({
  ...consoleRoutes.addCannedReply,
  ...changesCanned,
  record: { changes: 'canned-reply add' },
  summary: 'Keep an answer that is given often',
  schema: { body: CannedRequest, response: { 201: z.object({ id: z.string() }) } },
  problems: [409],
})

export const removeCannedReply = operatorEndpoint({
  ...consoleRoutes.removeCannedReply,
  ...changesCanned,
  record: { changes: 'canned-reply remove', subject: 'replyId' },
  summary: 'Forget one',
  schema: { params: z.object({ replyId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
