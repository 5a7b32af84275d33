import type { ConversationKind } from '@hedgerow/domain/conversations'
import { formatDateTime } from '@hedgerow/domain/dates'
import { findConversation, findMessage } from '#conversations/conversations.queries.ts'
import { keyOf, RECEIVED } from '#conversations/mail-threads.ts'
import type { With } from '#dependencies.ts'
import { renderLetter } from '#mail/layout.ts'
import type { JobPayloads } from '#queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const WORDS: Record<ConversationKind, { heading: string; next: string; group: string }> = {
  application: {
    heading: 'White label application',
    next: 'A person reads it and writes to you at this address about the next step.',
    group: 'application',
  },
  support: {
    heading: 'Support message',
    next: 'A person reads it and answers to this address.',
    group: 'support',
  },
}

/** To the operator: first words, or what was written on. */
const mailOperator = async ({ db, mailer, settings }: Deps, conversationId: string, messageId: string) => {
  const conversation = await findConversation(db, conversationId)
  const message = await findMessage(db, conversationId, messageId)
  if (!conversation || !message) return
  const { heading, group } = WORDS[conversation.kind]
  const isFirst = message.id === conversation.id
  const subject = `${heading} from ${conversation.name}`
  const letter = {
    heading: isFirst ? heading : `${heading}, continued`,
    paragraphs: [
      `${conversation.name} (${conversation.email}) wrote on ${formatDateTime(message.created_at)}:`,
    ],
    quote: message.text,
    notes: [
      `Answer it by: npm run ops -- ${group} reply ${conversation.id}`,
      `Then the answer is in the customer’s profile too. Answering this mail also reaches ${conversation.email}, but leaves no trace in the conversation.`,
    ],
  }
  await mailer.send({
    to: settings.operatorEmail,
    replyTo: conversation.email,
    subject: isFirst ? subject : `Re: ${subject}`,
    key: keyOf(message.id, 'operator'),
    ...(isFirst ? {} : { threadKey: keyOf(conversation.id, 'operator') }),
    ...renderLetter(letter, settings.brand),
  })
}

export const mailConversation = (deps: Deps, conversationId: string) =>
  mailOperator(deps, conversationId, conversationId)

export const mailNewMessage = (deps: Deps, { conversationId, messageId }: JobPayloads['mail-new-message']) =>
  mailOperator(deps, conversationId, messageId)

/** To the customer: it has arrived, and these were the words. */
export const mailConversationReceived = async ({ db, mailer, settings }: Deps, conversationId: string) => {
  const conversation = await findConversation(db, conversationId)
  const message = await findMessage(db, conversationId, conversationId)
  if (!conversation || !message) return
  const received = RECEIVED[conversation.kind]
  const letter = {
    heading: received,
    paragraphs: [
      `Hello ${conversation.name},`,
      `Thank you. ${WORDS[conversation.kind].next} This is what you wrote:`,
    ],
    quote: message.text,
    notes: ['You find it in your profile too, with the answers.'],
  }
  await mailer.send({
    to: conversation.email,
    subject: received,
    key: keyOf(conversation.id, 'customer'),
    ...renderLetter(letter, settings.brand),
  })
}
