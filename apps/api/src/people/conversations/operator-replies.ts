import { randomUUID } from 'node:crypto'
import {
  type ConversationState,
  canTransitionConversation,
  SAME_REPLY_MINUTES,
  stateAfterMessage,
} from '@hedgerow/domain/conversations'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import {
  findSameReply,
  insertMessage,
  listMessages,
  lockConversation,
  newestMessageId,
  setState,
  touchConversation,
} from '#people/conversations/conversations.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { MessageRow } from '#platform/database/tables/conversations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db'>
/** A terminal that scrolls for ever helps nobody; the newest are what counts. */
const REPORTED_MESSAGES = { ofEach: 500, bytes: 500_000 } as const

export const listMessagesOf = ({ db }: Deps, conversationId: string): Promise<MessageRow[]> =>
  listMessages(db, [conversationId], REPORTED_MESSAGES)

const keepReply = async (trx: Trx, conversationId: string, text: string): Promise<string> => {
  const messageId = randomUUID()
  await insertMessage(trx, { id: messageId, conversation_id: conversationId, author: 'operator', text })
  return messageId
}

const close = async (trx: Trx, conversationId: string): Promise<boolean> => {
  const conversation = await lockConversation(trx, conversationId)
  if (!conversation || !canTransitionConversation(conversation.kind, conversation.state, 'closed'))
    return false
  await setState(trx, conversationId, 'closed')
  return true
}

type Reply = {
  conversationId: string
  text: string
  isAgain: boolean
  closes: boolean
  /** The newest message that was read: where somebody has written since, nothing is sent. */
  after?: string | undefined
}
export type ReplyOutcome = 'sent' | 'known' | 'gone' | 'written-since'

/**
 * Keeps the operator's answer and asks for its mail, both or neither. The same words within a few minutes are the same
 * command run twice, and mailed once, unless they are meant again.
 */
export const replyToConversation = (
  { db }: Deps,
  { conversationId, text: given, isAgain, closes, after }: Reply,
): Promise<ReplyOutcome> =>
  db.transaction().execute(async (trx) => {
    const text = maskCardNumbers(given)
    const conversation = await lockConversation(trx, conversationId)
    if (!conversation) return 'gone'
    const isKnown =
      !isAgain && (await findSameReply(trx, conversationId, text, SAME_REPLY_MINUTES)) !== undefined
    if (!isKnown && after !== undefined && (await newestMessageId(trx, conversationId)) !== after)
      return 'written-since'
    if (!isKnown) {
      const messageId = await keepReply(trx, conversationId, text)
      const state = stateAfterMessage(conversation.kind, conversation.state, 'operator')
      await touchConversation(trx, conversationId, state)
      const moved = state === 'talking' && state !== conversation.state ? { state } : {}
      if (conversation.customer_id === null)
        await addJob(trx, 'mail-question-reply', { conversationId, messageId })
      else await addJob(trx, 'mail-reply', { conversationId, messageId, ...moved })
    }
    if (closes) await close(trx, conversationId)
    return isKnown ? 'known' : 'sent'
  })

/** False when it was closed before. The customer is not told: nothing is asked of them. */
export const closeConversation = ({ db }: Deps, conversationId: string): Promise<boolean> =>
  db.transaction().execute((trx) => close(trx, conversationId))

type Decision = { conversationId: string; state: ConversationState<'application'>; note: string | undefined }
export type DecisionOutcome =
  | { kind: 'set' | 'gone' }
  /** It stands so already. Whether the note, if there is one, was sent with it. */
  | { kind: 'same'; isNoteKnown: boolean }
  | { kind: 'refused'; from: ConversationState }

/** Sets how an application stands, and has the applicant told by one mail, with the note. */
export const decideApplication = (
  { db }: Deps,
  { conversationId, state, note: given }: Decision,
): Promise<DecisionOutcome> =>
  db.transaction().execute(async (trx): Promise<DecisionOutcome> => {
    const note = given === undefined ? undefined : maskCardNumbers(given)
    const conversation = await lockConversation(trx, conversationId)
    if (conversation?.kind !== 'application') return { kind: 'gone' }
    if (conversation.state === state) {
      const isNoteKnown =
        note === undefined ||
        (await findSameReply(trx, conversationId, note, SAME_REPLY_MINUTES)) !== undefined
      return { kind: 'same', isNoteKnown }
    }
    if (!canTransitionConversation('application', conversation.state, state))
      return { kind: 'refused', from: conversation.state }
    const messageId = note === undefined ? undefined : await keepReply(trx, conversationId, note)
    // Without a note nothing was written: a decision is no message.
    if (messageId) await touchConversation(trx, conversationId, state)
    else await setState(trx, conversationId, state)
    const changeId = randomUUID()
    const payload = { conversationId, state, changeId, ...(messageId ? { messageId } : {}) }
    await addJob(trx, 'mail-application-state', payload)
    return { kind: 'set' }
  })
