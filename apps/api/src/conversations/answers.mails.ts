import type { ConversationState } from '@hedgerow/domain/conversations'
import { formatDateTime } from '@hedgerow/domain/dates'
import {
  type ConversationWithEmail,
  findConversation,
  findMessage,
  findWordsBefore,
} from '#conversations/conversations.queries.ts'
import { keyOf, RECEIVED } from '#conversations/mail-threads.ts'
import type { MessageRow } from '#database/tables/conversations.table.ts'
import type { With } from '#dependencies.ts'
import { type Letter, renderLetter } from '#mail/layout.ts'
import type { JobPayloads } from '#queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** A person's words as they were set: an empty line is a new paragraph. */
const paragraphsOf = ({ text }: MessageRow): string[] => text.split(/\n{2,}/)

/** In the customer's thread; an answer to it goes to the person who wrote. */
const send = (
  { mailer, settings }: Deps,
  conversation: ConversationWithEmail,
  key: string,
  { notes = [], ...letter }: Letter,
) => {
  const { brand, publicUrl, operatorEmail } = settings
  const url = `${publicUrl}/profile?tab=profile&conversation=${conversation.id}`
  const whole = {
    ...letter,
    action: { label: 'Read and write on', url },
    notes: [...notes, 'You can also answer this mail.'],
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

const DECISIONS: Record<ConversationState<'application'>, { heading: string; told: string }> = {
  new: {
    heading: 'Your application waits to be read',
    told: 'Your white label application waits to be read.',
  },
  talking: {
    heading: 'We would like to talk',
    told: 'We have read your white label application, and would like to talk with you about it.',
  },
  accepted: {
    heading: 'Your application is accepted',
    told: 'We have accepted your white label application. We write to you about the next step.',
  },
  refused: {
    heading: 'Your application is declined',
    told: 'We have read your white label application, and have decided not to go on with it. Thank you for the time that it took you.',
  },
}

/** The operator's answer, and below it what it answers; above it how an application stands, if that has changed. */
export const mailReply = async (
  deps: Deps,
  { conversationId, messageId, state }: JobPayloads['mail-reply'],
) => {
  const conversation = await findConversation(deps.db, conversationId)
  const message = await findMessage(deps.db, conversationId, messageId)
  if (!conversation || !message) return
  const asked = await findWordsBefore(deps.db, conversationId, message.created_at)
  await send(deps, conversation, keyOf(message.id, 'customer'), {
    heading: `An answer from ${deps.settings.brand.name}`,
    paragraphs: [
      `Hello ${conversation.name},`,
      ...(state ? [DECISIONS[state].told] : []),
      ...paragraphsOf(message),
      ...(asked ? [`You wrote on ${formatDateTime(asked.created_at)}:`] : []),
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
  const { heading, told } = DECISIONS[state]
  await send(deps, conversation, keyOf(changeId, 'customer'), {
    heading,
    paragraphs: [`Hello ${conversation.name},`, told, ...(note ? paragraphsOf(note) : [])],
  })
}
