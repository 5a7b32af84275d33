import type { Conversation } from '@hedgerow/contract/conversations'
import { stateAfterMessage } from '@hedgerow/domain/conversations'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import { presentConversation } from '#conversations/conversations.present.ts'
import {
  findConversation,
  hasConversation,
  hasMessage,
  insertConversation,
  insertMessage,
  listConversationRows,
  listMessages,
  lockConversation,
  type NewConversation,
  touchConversation,
} from '#conversations/conversations.queries.ts'
import type { ConversationRow } from '#database/tables/conversations.table.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { addJob } from '#queue/add-job.ts'

export {
  type ConversationWithEmail,
  deleteOldConversations,
  findConversationsByStart,
  findSameReply,
  insertMessage,
  listForOperator,
  listMessages,
  lockConversation,
  setState,
  touchConversation,
} from '#conversations/conversations.queries.ts'

type Deps = With<'db'>

/** What a page shows. A customer who has more finds it in "Download my data". */
const SHOWN_CONVERSATIONS = 50
const SHOWN_MESSAGES = 100
const ALL = 2 ** 31 - 1

/**
 * Starts a conversation with its first message, and queues the two mails: to the operator and back to the sender. Sending
 * it again changes nothing. A card number in it is neither kept nor mailed. Throws 'conversation-id-taken'.
 */
export const startConversation = async (
  { db }: Deps,
  { text: given, ...conversation }: NewConversation & { text: string },
): Promise<{ _id: string }> => {
  const { id } = conversation
  const head = { ...conversation, name: maskCardNumbers(conversation.name) }
  const message = { id, conversation_id: id, author: 'customer', text: maskCardNumbers(given) } as const
  await db.transaction().execute(async (trx) => {
    if (await insertConversation(trx, head)) {
      // A message of another conversation may have the id.
      if (!(await insertMessage(trx, message))) throw new Problem('conversation-id-taken')
      await addJob(trx, 'mail-conversation', { conversationId: id })
      await addJob(trx, 'mail-conversation-received', { conversationId: id })
    } else if (!(await hasConversation(trx, head)) || !(await hasMessage(trx, message))) {
      throw new Problem('conversation-id-taken')
    }
  })
  return { _id: id }
}

const withMessages = async (
  { db }: Deps,
  rows: readonly ConversationRow[],
  mostOfEach: number,
): Promise<Conversation[]> => {
  const ids = rows.map(({ id }) => id)
  const messages = Map.groupBy(
    await listMessages(db, ids, mostOfEach),
    ({ conversation_id }) => conversation_id,
  )
  return rows.map((row) => presentConversation(row, messages.get(row.id) ?? []))
}

/** The one last written in first. */
export const listConversations = async (deps: Deps, customerId: string): Promise<Conversation[]> =>
  withMessages(deps, await listConversationRows(deps.db, customerId, SHOWN_CONVERSATIONS), SHOWN_MESSAGES)

/** All of a customer, in full: part of what they may download of themselves. */
export const conversationsForExport = async (deps: Deps, customerId: string): Promise<Conversation[]> =>
  withMessages(deps, await listConversationRows(deps.db, customerId, ALL), ALL)

type Words = { conversationId: string; customerId: string; id: string; text: string }

/**
 * A customer writes on, and the operator gets a mail. The same message sent again changes nothing.
 * Throws 'conversation-not-found' and 'conversation-id-taken'.
 */
export const addMessage = async (
  deps: Deps,
  { conversationId, customerId, id, text }: Words,
): Promise<Conversation> => {
  const message = {
    id,
    conversation_id: conversationId,
    author: 'customer',
    text: maskCardNumbers(text),
  } as const
  await deps.db.transaction().execute(async (trx) => {
    const conversation = await lockConversation(trx, conversationId)
    if (conversation?.customer_id !== customerId) throw new Problem('conversation-not-found')
    if (await insertMessage(trx, message)) {
      await touchConversation(
        trx,
        conversationId,
        stateAfterMessage(conversation.kind, conversation.state, 'customer'),
      )
      await addJob(trx, 'mail-new-message', { conversationId, messageId: id })
    } else if (!(await hasMessage(trx, message))) {
      throw new Problem('conversation-id-taken')
    }
  })
  const row = await findConversation(deps.db, conversationId)
  const [conversation] = await withMessages(deps, row ? [row] : [], SHOWN_MESSAGES)
  if (!conversation) throw new Problem('conversation-not-found')
  return conversation
}
