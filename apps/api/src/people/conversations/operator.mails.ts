import type { ConversationKind } from '@hedgerow/domain/conversations'
import { formatUkTime } from '@hedgerow/domain/dates'
import { findConversation, findMessage } from '#people/conversations/conversations.queries.ts'
import { keyOf } from '#people/conversations/mail-threads.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import type { JobPayloads } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const HEADINGS: Record<ConversationKind, string> = {
  application: 'White label application',
  support: 'Support message',
}

/** To the operator: first words, or what was written on. */
const mailOperator = async ({ db, mailer, settings }: Deps, conversationId: string, messageId: string) => {
  const conversation = await findConversation(db, conversationId)
  const message = await findMessage(db, conversationId, messageId)
  if (!conversation || !message) return
  const isVisitor = conversation.customer_id === null
  const heading = isVisitor ? 'Question' : HEADINGS[conversation.kind]
  const isFirst = message.id === conversation.id
  const subject = `${heading} from ${conversation.name}`
  const letter = {
    heading: isFirst ? heading : `${heading}, new message`,
    paragraphs: [
      `${conversation.name} (${conversation.email}) wrote on ${formatUkTime(message.created_at)}${isVisitor ? ', without an account' : ''}:`,
    ],
    quote: message.text,
    notes: [
      `To reply: npm run ops -- ${conversation.kind} reply ${conversation.id}`,
      `${isVisitor ? 'Your reply is mailed with a link to the conversation. The address is not verified, so write nothing that only its owner may know.' : 'Your reply then also stands in the customer’s profile.'} Replying to this mail also reaches ${conversation.email}, but is not recorded in the conversation.`,
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
