import { randomUUID } from 'node:crypto'
import { rolesWith } from '@hedgerow/domain/operator-roles'
import {
  assign,
  deleteCanned,
  insertCanned,
  listColleagueRows,
  listWriting,
  markSeen,
  selectInbox,
} from '#desk/inbox/inbox.queries.ts'
import { listMessagesOf, replyToConversation } from '#people/conversations/operator-replies.ts'
import type { MessageRow } from '#platform/database/tables/conversations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

type Writing = { at: Date; ended_at: Date | null; by: string }

/** An answer was kept while its act was under way. */
const writerOf = ({ author, created_at }: MessageRow, writing: readonly Writing[]): string | null => {
  if (author !== 'operator') return null
  const act = writing.find(({ at, ended_at }) => at <= created_at && ended_at && created_at <= ended_at)
  return act?.by ?? null
}

/** A conversation and what was written in it, as one operator sees it; it counts as seen by them. A shell is no operator. Throws 'conversation-not-found'. */
export const openForOperator = async ({ db }: Deps, operatorId: string | null, id: string) => {
  const row = await selectInbox(db, operatorId, {}).where('conversations.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('conversation-not-found')
  const written = await listMessagesOf({ db }, id)
  const writing = written.some(({ author }) => author === 'operator') ? await listWriting(db, id) : []
  const messages = written.map((message) => ({ ...message, by: writerOf(message, writing) }))
  if (operatorId !== null) await markSeen(db, operatorId, id)
  return { row, messages }
}

type Reply = {
  conversationId: string
  text: string
  closes: boolean
  isAgain: boolean
  /** The newest message that was read. */
  after?: string | undefined
  operatorName: string
  name: string
}

const BRACES = /\{(name|operator)\}/g

/** What stands in braces is filled in when it is sent, and not before: the draft is not about anybody. */
const filledIn = ({ text, name, operatorName }: Reply): string =>
  text.replaceAll(BRACES, (_, word) => (word === 'name' ? name : operatorName))

/**
 * It counts as seen by the operator who writes it, and is theirs to answer if it was nobody's. False where the same text was sent a few minutes ago. Throws
 * 'written-since' where someone wrote after what was read, and 'conversation-not-found'.
 */
export const replyAsOperator = async (
  { db }: Deps,
  operatorId: string | null,
  reply: Reply,
): Promise<boolean> => {
  const { conversationId, after, closes, isAgain } = reply
  const request = { conversationId, text: filledIn(reply), isAgain, closes, after }
  const outcome = await replyToConversation({ db }, request)
  if (outcome === 'gone') throw new Problem('conversation-not-found')
  if (outcome === 'written-since') throw new Problem('written-since')
  if (operatorId !== null) {
    await markSeen(db, operatorId, conversationId)
    await assign(db, conversationId, { to: operatorId, from: null })
  }
  return outcome === 'sent'
}

/** Throws 'assigned-since'. */
export const assignConversation = async (
  { db }: Deps,
  id: string,
  change: { to: string | null; from: string | null },
): Promise<void> => {
  const colleagues = await listColleagues({ db })
  if (change.to !== null && !colleagues.some((one) => one.id === change.to))
    throw new Problem('operator-not-found')
  if (!(await assign(db, id, change))) throw new Problem('assigned-since')
}

/** Those who may reply. */
export const listColleagues = ({ db }: Deps) => listColleagueRows(db, rolesWith('conversations.reply'))

/** Throws 'canned-title-taken'. */
export const addCanned = async ({ db }: Deps, words: { title: string; text: string }): Promise<string> => {
  const id = randomUUID()
  if (!(await insertCanned(db, { id, ...words }))) throw new Problem('canned-title-taken')
  return id
}

/** Throws 'canned-not-found'. */
export const removeCanned = async ({ db }: Deps, id: string): Promise<void> => {
  if (!(await deleteCanned(db, id))) throw new Problem('canned-not-found')
}
