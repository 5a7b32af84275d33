import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  CONVERSATION_TEXT,
  MESSAGE_AUTHORS,
  MESSAGE_TEXT,
} from '@hedgerow/domain/conversations'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email, greetedName, Instant, longText, Uuid } from './fields.ts'
import { routes } from './routes.ts'

const name = greetedName(OUR_MESSAGES.conversationNameRequired)
const text = longText(CONVERSATION_TEXT, {
  required: OUR_MESSAGES.conversationTextRequired,
  short: OUR_MESSAGES.conversationTextShort,
  long: OUR_MESSAGES.conversationTextLong,
})

/** The fields of the white label application (spec §2, submit). */
export const ApplicationForm = z.object({ name, commentary: text })
/** The fields of the feedback form (spec §2, support). */
export const SupportForm = z.object({ name, problem: text })

/** The fields of someone who asks without an account. */
export const QuestionForm = z.object({
  name,
  email: email(OUR_MESSAGES.questionEmailRequired, MESSAGES.emailInvalid),
  question: text,
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** What is written on, by the customer or the operator. */
export const MessageForm = z.object({
  text: longText(MESSAGE_TEXT, {
    required: OUR_MESSAGES.messageRequired,
    short: OUR_MESSAGES.messageRequired,
    long: OUR_MESSAGES.conversationTextLong,
  }),
})

const Message = z.object({
  _id: z.string(),
  author: z.enum(MESSAGE_AUTHORS),
  text: z.string(),
  createdAt: Instant,
})

/** A support message or an application, with what was written about it since. */
export const Conversation = z.object({
  _id: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  name: z.string(),
  state: z.enum([...CONVERSATION_STATES.support, ...CONVERSATION_STATES.application]),
  createdAt: Instant,
  lastMessageAt: Instant,
  /** Messages are the newest of it, oldest first; there were others before. */
  hasEarlier: z.boolean(),
  messages: z.array(Message),
})
export type Conversation = z.infer<typeof Conversation>

/** Made by the sender: a repeated id is the same request, sent again. */
const id = { id: Uuid }

/** A person reads what is sent. */
const limits = [
  { calls: 30, minutes: 10, by: 'address' },
  { calls: 10, minutes: 60, by: 'customer' },
] as const

const response = { 201: z.object({ _id: z.string() }) }

export const applyForWhiteLabel = endpoint({
  ...routes.applyForWhiteLabel,
  access: 'signed-in',
  limits,
  summary: 'Apply for the white label programme',
  schema: { body: z.extend(ApplicationForm, id), response },
  problems: [409],
})

export const contactSupport = endpoint({
  ...routes.contactSupport,
  access: 'signed-in',
  limits,
  summary: 'Describe a problem, or say what you think',
  schema: { body: z.extend(SupportForm, id), response },
  problems: [409],
})

export const listConversations = endpoint({
  ...routes.listConversations,
  access: 'signed-in',
  // The newest message of each of 50, as long as they may be, and 200 kB of others, whose quotes take two bytes each.
  replyBytes: 1536 * 1024,
  summary: "The account's support messages and applications, the latest first, with the answers",
  schema: { response: { 200: z.array(Conversation) } },
})

export const addMessage = endpoint({
  ...routes.addMessage,
  access: 'signed-in',
  limits,
  summary: 'Write on in a conversation; one that was closed is open again',
  schema: {
    params: z.object({ id: Uuid }),
    body: z.extend(MessageForm, id),
    response: { 201: Conversation },
  },
  problems: [404, 409],
})

export const askQuestion = endpoint({
  ...routes.askQuestion,
  access: 'anyone',
  // And the mails that go to one address are counted, from all callers (`people/conversations/questions.service.ts`).
  limits: [{ calls: 10, minutes: 60, by: 'address' }],
  summary: 'Ask a question without an account; a link to go on is mailed',
  schema: {
    body: z.extend(QuestionForm, id),
    response: {
      201: z.object({
        _id: z.string(),
        /** Too many questions wait: this one is read once its mailed link was opened. */
        isHeld: z.optional(z.boolean()),
      }),
    },
  },
  problems: [409],
})

/** What the mailed link carries. It stands in the body, so that no log of addresses has it. */
const token = z.string().check(z.minLength(1), z.maxLength(100))

/** A conversation as its link shows it. */
export const LinkedConversation = z.extend(Conversation, {
  /** The link opens it until then, unless something is written before. */
  linkEndsAt: Instant,
})
export type LinkedConversation = z.infer<typeof LinkedConversation>

export const readQuestion = endpoint({
  ...routes.readQuestion,
  access: 'anyone',
  limits: [{ calls: 120, minutes: 10, by: 'address' }],
  summary: 'The conversation that a mailed link leads to',
  schema: { body: z.object({ token }), response: { 200: LinkedConversation } },
  problems: [404],
})

export const writeByLink = endpoint({
  ...routes.writeByLink,
  access: 'anyone',
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 10, minutes: 60, by: 'field', field: 'token' },
  ],
  summary: 'Reply in the conversation that a mailed link leads to; one that was closed is open again',
  schema: { body: z.extend(MessageForm, { ...id, token }), response: { 201: LinkedConversation } },
  problems: [404, 409],
})
