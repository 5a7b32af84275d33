import type { AccountData } from '@hedgerow/contract/account-data'
import type { Conversation } from '@hedgerow/contract/conversations'
import { MOST_UNANSWERED, stateAfterMessage } from '@hedgerow/domain/conversations'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import { presentConversation } from '#people/conversations/conversations.present.ts'
import {
  countUnanswered,
  findConversation,
  hasConversation,
  hasMessage,
  insertConversation,
  insertMessage,
  isOfCustomer,
  listConversationRows,
  listHeld,
  listMessages,
  lockConversation,
  type NewConversation,
  touchConversation,
  waitForTurnOf,
} from '#people/conversations/conversations.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { ConversationRow } from '#platform/database/tables/conversations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export {
  type ConversationWithEmail,
  deleteOldConversations,
  deleteQuestionsOf,
  findConversationsByStart,
} from '#people/conversations/conversations.queries.ts'

type Deps = With<'db'>

/** What a page shows. A customer who has more finds it in "Download my data". */
const SHOWN_CONVERSATIONS = 50

export { listConversationRows as listConversationsOf } from '#people/conversations/conversations.queries.ts'

/** A page shows so many at most, and no more than a phone reads at once. */
export const SHOWN_MESSAGES = { ofEach: 100, bytes: 200_000 } as const
const ALL = { ofEach: 2 ** 31 - 1, bytes: 2 ** 31 - 1 } as const

const refuseUnansweredOfAccount = async (trx: Trx, account: string, messageId: string): Promise<void> => {
  const { ofAccount, days } = MOST_UNANSWERED
  await waitForTurnOf(trx, account)
  if ((await countUnanswered(trx, { account }, messageId, days)) >= ofAccount)
    throw new Problem('messages-unanswered')
}

/**
 * Keeps a conversation with its first message, and mails the operator unless it is held. False when it was there: sending it again
 * changes nothing. A card number in it is neither kept nor mailed. Throws 'conversation-id-taken'.
 */
export const keepConversation = async (
  trx: Trx,
  { text: given, ...conversation }: NewConversation & { text: string },
): Promise<boolean> => {
  const { id } = conversation
  const head = { ...conversation, name: maskCardNumbers(conversation.name) }
  const message = { id, conversation_id: id, author: 'customer', text: maskCardNumbers(given) } as const
  if (await insertConversation(trx, head)) {
    // A message of another conversation may have the id.
    if (!(await insertMessage(trx, message))) throw new Problem('conversation-id-taken')
    if (conversation.is_held) return true
    if (!conversation.customer_id) await addJob(trx, 'mail-question', { conversationId: id, messageId: id })
    else await addJob(trx, 'mail-conversation', { conversationId: id })
    return true
  }
  if (!(await hasConversation(trx, head)) || !(await hasMessage(trx, message)))
    throw new Problem('conversation-id-taken')
  return false
}

/**
 * Starts a customer's conversation, and queues the two mails: to the operator and back to the sender. Throws
 * 'messages-unanswered' when it is our turn.
 */
export const startConversation = async (
  { db }: Deps,
  conversation: NewConversation & { text: string; customer_id: string },
): Promise<{ _id: string }> => {
  const { id } = conversation
  await db.transaction().execute(async (trx) => {
    await refuseUnansweredOfAccount(trx, conversation.customer_id, id)
    if (await keepConversation(trx, conversation))
      await addJob(trx, 'mail-conversation-received', { conversationId: id })
  })
  return { _id: id }
}

export const withMessages = async <R extends Parameters<typeof presentConversation>[0]>(
  { db }: Deps,
  rows: readonly R[],
  most: Parameters<typeof listMessages>[2],
): Promise<Conversation[]> => {
  const ids = rows.map(({ id }) => id)
  const messages = Map.groupBy(await listMessages(db, ids, most), ({ conversation_id }) => conversation_id)
  return rows.map((row) => presentConversation(row, messages.get(row.id) ?? []))
}

/** The one last written in first. */
export const listConversations = async (deps: Deps, customerId: string): Promise<Conversation[]> =>
  withMessages(deps, await listConversationRows(deps.db, customerId, SHOWN_CONVERSATIONS), SHOWN_MESSAGES)

/** So much of what strangers may have typed under the address. */
const EXPORTED_UNOPENED = 100

/** All of a customer, in full: part of what they may download of themselves. */
export const conversationsForExport = async (
  deps: Deps,
  customerId: string,
): Promise<AccountData['conversations']> => {
  const rows = await listHeld(deps.db, customerId, EXPORTED_UNOPENED)
  const conversations = await withMessages(deps, rows, ALL)
  return conversations.map((conversation, i) => ({
    ...conversation,
    linkOpenedAt: rows[i]?.link_opened_at?.toISOString() ?? null,
    isHeld: rows[i]?.is_held ?? false,
  }))
}

type Words = { conversationId: string; id: string; text: string }

/**
 * Words of a customer's in a conversation, and the operator gets a mail. The same message sent again changes nothing.
 * `may` checks their permission, once no one else writes. Throws 'conversation-not-found', 'conversation-id-taken', and
 * 'messages-unanswered' when it is our turn.
 */
export const writeInConversation = async (
  { db }: Deps,
  { conversationId, id, text }: Words,
  may: (trx: Trx, conversation: ConversationRow) => Promise<boolean>,
): Promise<void> => {
  const message = {
    id,
    conversation_id: conversationId,
    author: 'customer',
    text: maskCardNumbers(text),
  } as const
  await db.transaction().execute(async (trx) => {
    const conversation = await lockConversation(trx, conversationId)
    if (!conversation || !(await may(trx, conversation))) throw new Problem('conversation-not-found')
    const { ofConversation, days } = MOST_UNANSWERED
    if ((await countUnanswered(trx, { conversation: conversationId }, id, days)) >= ofConversation)
      throw new Problem('messages-unanswered')
    if (await insertMessage(trx, message)) {
      await touchConversation(
        trx,
        conversationId,
        stateAfterMessage(conversation.kind, conversation.state, 'customer'),
      )
      const name = conversation.customer_id === null ? 'mail-question' : 'mail-new-message'
      await addJob(trx, name, { conversationId, messageId: id })
    } else if (!(await hasMessage(trx, message))) {
      throw new Problem('conversation-id-taken')
    }
  })
}

/** A customer replies. Throws what `writeInConversation` does. */
export const addMessage = async (
  deps: Deps,
  { customerId, ...words }: Words & { customerId: string },
): Promise<Conversation> => {
  await writeInConversation(deps, words, async (trx, { id }) => {
    await refuseUnansweredOfAccount(trx, customerId, words.id)
    return isOfCustomer(trx, id, customerId)
  })
  const row = await findConversation(deps.db, words.conversationId)
  const [conversation] = await withMessages(deps, row ? [row] : [], SHOWN_MESSAGES)
  if (!conversation) throw new Problem('conversation-not-found')
  return conversation
}
