import type { ConversationKind } from '@hedgerow/domain/conversations'
import { formatUkTime } from '@hedgerow/domain/dates'
import { findConversation, findMessage } from '#people/conversations/conversations.queries.ts'
import { keyOf } from '#people/conversations/mail-threads.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'
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
      isVisitor
        ? 'Your reply is emailed with a link to the conversation. The address is not verified, so write nothing that only its owner may know.'
        : 'Your reply is emailed and also appears in the customer’s profile.',
      `You can also reply to this email. That reaches ${conversation.email}, but is not kept in the conversation.`,
    ],
    page: { label: 'Reply in the console', path: `/inbox/${conversation.id}` },
    commands: [['To reply', `${conversation.kind} reply ${conversation.id}`]],
  } as const
  await mailer.send({
    ...operatorMail(letter, settings),
    replyTo: conversation.email,
    subject: isFirst ? subject : `Re: ${subject}`,
    key: keyOf(message.id, 'operator'),
    ...(isFirst ? {} : { threadKey: keyOf(conversation.id, 'operator') }),
  })
}

export const mailConversation = (deps: Deps, conversationId: string) =>
  mailOperator(deps, conversationId, conversationId)

export const mailNewMessage = (deps: Deps, { conversationId, messageId }: JobPayloads['mail-new-message']) =>
  mailOperator(deps, conversationId, messageId)
