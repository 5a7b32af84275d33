import {
  type ConversationKind,
  type ConversationState,
  QUESTION_LINK_DAYS,
} from '@hedgerow/domain/conversations'
import { formatUkTime } from '@hedgerow/domain/dates'
import {
  type ConversationWithEmail,
  findConversation,
  findMessage,
  findWordsBefore,
} from '#people/conversations/conversations.queries.ts'
import { keyOf, RECEIVED } from '#people/conversations/mail-threads.ts'
import { questionToken } from '#people/conversations/question-link.ts'
import type { MessageRow } from '#platform/database/tables/conversations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'
import type { JobPayloads } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'keyedHash' | 'mailer' | 'settings'>

/** A person's words as they were set: an empty line is a new paragraph. */
const paragraphsOf = ({ text }: MessageRow): string[] => text.split(/\n{2,}/)

const hasAccount = ({ customer_id }: ConversationWithEmail): boolean => customer_id !== null

/** Where the whole of it is read, and replied to. */
const addressOf = (deps: Deps, conversation: ConversationWithEmail): string => {
  const { publicUrl } = deps.settings
  return hasAccount(conversation)
    ? `${publicUrl}/profile?tab=profile&conversation=${conversation.id}`
    : `${publicUrl}/contact/${questionToken(deps, conversation)}`
}

/** A visitor may not be who the name says: the address is not confirmed. */
const greet = (conversation: ConversationWithEmail): string =>
  hasAccount(conversation) ? `Hello ${conversation.name},` : 'Hello,'

/** In the customer's thread; an answer to it goes to the person who wrote. */
const send = (
  deps: Deps,
  conversation: ConversationWithEmail,
  key: string,
  { notes = [], ...letter }: Letter,
) => {
  const { mailer, settings } = deps
  const { brand, operatorEmail } = settings
  const whole = {
    ...letter,
    action: { label: 'Read and reply', url: addressOf(deps, conversation) },
    notes: [...notes, 'You can also reply to this email.', ...(hasAccount(conversation) ? [] : [LINK_NOTE])],
  }
  return mailer.send({
    to: conversation.email,
    replyTo: operatorEmail,
    subject: `Re: ${RECEIVED[conversation.kind]}`,
    key,
    threadKey: keyOf(conversation.id, 'customer'),
    isByPerson: true,
    ...renderLetter(whole, brand),
  })
}

const LINK_NOTE = `Anyone with the link can read this conversation and reply, until ${QUESTION_LINK_DAYS} days after the last message.`

const DECISIONS: Record<ConversationState<'application'>, { heading: string; sentence: string }> = {
  new: {
    heading: 'Your application is waiting to be read',
    sentence: 'Your white label application is waiting to be read.',
  },
  talking: {
    heading: 'We would like to talk',
    sentence: 'We have read your white label application, and would like to talk with you about it.',
  },
  accepted: {
    heading: 'Your application is accepted',
    sentence: 'We have accepted your white label application. We will write to you about the next step.',
  },
  refused: {
    heading: 'Your application is declined',
    sentence:
      'We have read your white label application, and have decided not to take it further. Thank you for your time.',
  },
}

/**
 * The operator's answer, and below it what it answers; above it how an application stands, if that has changed. What
 * a visitor has typed is in no mail: the address may be a stranger's.
 */
const GREETS = /^\s*(?:hi|hello|dear|good (?:morning|afternoon|evening))\b/i

export const mailReply = async (
  deps: Deps,
  { conversationId, messageId, state }: JobPayloads['mail-reply'],
) => {
  const conversation = await findConversation(deps.db, conversationId)
  const message = await findMessage(deps.db, conversationId, messageId)
  if (!conversation || !message) return
  const asked = hasAccount(conversation)
    ? await findWordsBefore(deps.db, conversationId, message.created_at)
    : undefined
  await send(deps, conversation, keyOf(message.id, 'customer'), {
    heading: `An answer from ${deps.settings.brand.name}`,
    paragraphs: [
      // Whoever wrote "Hi Jo," has greeted already.
      ...(GREETS.test(message.text) ? [] : [greet(conversation)]),
      ...(state ? [DECISIONS[state].sentence] : []),
      ...paragraphsOf(message),
      ...(asked ? [`You wrote on ${formatUkTime(asked.created_at)}:`] : []),
    ],
    ...(asked ? { quote: asked.text } : {}),
  })
}

/** How the application stands now, with the operator's own words if there were any. */
export const mailApplicationState = async (
  deps: Deps,
  { conversationId, state, changeId, messageId }: JobPayloads['mail-application-state'],
) => {
  const conversation = await findConversation(deps.db, conversationId)
  if (!conversation) return
  const note = messageId ? await findMessage(deps.db, conversationId, messageId) : undefined
  const { heading, sentence } = DECISIONS[state]
  await send(deps, conversation, keyOf(changeId, 'customer'), {
    heading,
    paragraphs: [`Hello ${conversation.name},`, sentence, ...(note ? paragraphsOf(note) : [])],
  })
}

const WHAT_COMES_NEXT: Record<ConversationKind, string> = {
  application: 'We will email you about the next step.',
  support: 'We will reply by email.',
}

/** To the customer: it has arrived, and these were the words. */
export const mailConversationReceived = async (deps: Deps, conversationId: string) => {
  const { db, mailer, settings } = deps
  const conversation = await findConversation(db, conversationId)
  const message = await findMessage(db, conversationId, conversationId)
  if (!conversation || !message) return
  const received = RECEIVED[conversation.kind]
  const letter = {
    heading: received,
    paragraphs: [
      `Hello ${conversation.name},`,
      `Thank you. ${WHAT_COMES_NEXT[conversation.kind]} This is what you wrote:`,
    ],
    quote: message.text,
    action: { label: 'Read and reply', url: addressOf(deps, conversation) },
    notes: ['You will find it in your profile too, with our answers.'],
  }
  await mailer.send({
    to: conversation.email,
    subject: received,
    key: keyOf(conversation.id, 'customer'),
    ...renderLetter(letter, settings.brand),
  })
}

/** To the address that a visitor has typed: a link to go on, and none of the words that were typed. */
export const mailQuestionReceived = async (deps: Deps, conversationId: string) => {
  const conversation = await findConversation(deps.db, conversationId)
  if (!conversation || hasAccount(conversation)) return
  const { brand } = deps.settings
  const received = RECEIVED.support
  const letter = {
    heading: received,
    paragraphs: [
      'Hello,',
      conversation.is_held
        ? 'Someone, most likely you, asked us a question and gave this address. We have many questions to answer at the moment. Open yours with the link below, and we will reply by email.'
        : 'Someone, most likely you, asked us a question and gave this address. We will reply by email. Meanwhile you can read your question and add to it.',
    ],
    action: { label: 'Open my question', url: addressOf(deps, conversation) },
    notes: [LINK_NOTE, 'If this was not you, ignore this email.'],
  }
  await deps.mailer.send({
    to: conversation.email,
    subject: received,
    key: keyOf(conversation.id, 'customer'),
    ...renderLetter(letter, brand),
  })
}
