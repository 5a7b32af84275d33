import type { LinkedConversation, QuestionForm } from '@hedgerow/contract/conversations'
import {
  HELD_QUESTIONS_AN_HOUR,
  MOST_WAITING_QUESTIONS,
  QUESTION_LINK_DAYS,
  QUESTIONS_ACKNOWLEDGED_A_DAY,
} from '@hedgerow/domain/conversations'
import { DAY_MS } from '@hedgerow/domain/dates'
import { mailboxOf } from '@hedgerow/domain/mailboxes'
import {
  keepConversation,
  SHOWN_MESSAGES,
  withMessages,
  writeInConversation,
} from '#people/conversations/conversations.service.ts'
import { questionToken } from '#people/conversations/question-link.ts'
import {
  countQuestions,
  findByLink,
  findQuestion,
  hasHeld,
  isHeld,
  markOpened,
  releaseHeld,
  waitForTurn,
} from '#people/conversations/questions.queries.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

const HOUR_S = 3_600
const DAY_S = 86_400

/**
 * Takes a visitor's question. Anyone can type any address, so it gets few acknowledgements a day;
 * what is above that is answered by a person all the same. Sent again it changes nothing. The answer says nothing of
 * whether there is such an account. While too many wait, it is held until the link is opened: filling the form
 * with addresses of others takes no one's place, and nothing
 * that is kept makes room for another. Throws 'conversation-id-taken', and 'questions-full' where many are held, or where
 * it would be held and no mail with its link may be sent: no one would ever read it.
 */
export const askQuestion = async (
  { db, keyedHash, rateCounter }: With<'db' | 'keyedHash' | 'rateCounter'>,
  { id, name, email, question }: QuestionForm & { id: string },
): Promise<{ _id: string; isHeld?: boolean }> => {
  const link_hash = hashToken(questionToken({ keyedHash }, { id, email }))
  const sender = mailboxOf(email)
  const acknowledged = {
    name: 'acknowledged questions',
    of: sender,
    most: QUESTIONS_ACKNOWLEDGED_A_DAY,
    seconds: DAY_S,
  }
  const isKnown = (await findQuestion(db, id)) !== undefined
  // Before the transaction: the count has a connection of its own.
  const wait = isKnown ? undefined : await rateCounter.count(acknowledged)
  const ask = async (trx: Trx) => {
    await waitForTurn(trx)
    const { waiting, held_of_hour } = await countQuestions(trx)
    const is_held = waiting >= MOST_WAITING_QUESTIONS
    const head = { id, kind: 'support', customer_id: null, email, sender, name, link_hash, is_held } as const
    const isKept = await keepConversation(trx, { ...head, text: question })
    if (isKept && is_held && (held_of_hour >= HELD_QUESTIONS_AN_HOUR || wait !== undefined))
      throw new Problem('questions-full', { retryAfterSeconds: wait ?? HOUR_S })
    const isMailed = isKept && wait === undefined
    if (isMailed) await addJob(trx, 'mail-question-received', { conversationId: id })
    return { isMailed, isHeld: await isHeld(trx, id) }
  }
  let isMailed = false
  try {
    const asked = await db.transaction().execute(ask)
    isMailed = asked.isMailed
    return { _id: id, ...(asked.isHeld ? { isHeld: true } : {}) }
  } finally {
    if (!isKnown && wait === undefined && !isMailed) await rateCounter.giveBack(acknowledged)
  }
}

type Deps = With<'db'>

const getByLink = async ({ db }: Deps, token: string) => {
  const row = await findByLink(db, hashToken(token))
  if (!row) throw new Problem('question-link-not-found')
  return row
}

/** The link was opened, so the mails of the address are read: what is held of it is the operator's to read. Of two at once, one mails it. */
const noteOpened = ({ db }: Deps, { id, email }: { id: string; email: string | null }): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await markOpened(trx, id)
    for (const { id: conversationId } of await releaseHeld(trx, email ?? ''))
      await addJob(trx, 'mail-question', { conversationId, messageId: conversationId })
  })

/** Throws 'question-link-not-found', whether there never was such a link or its days are over. */
export const readQuestion = async (deps: Deps, token: string): Promise<LinkedConversation> => {
  const row = await getByLink(deps, token)
  if (!row.link_opened_at || (await hasHeld(deps.db, row.email ?? ''))) await noteOpened(deps, row)
  const [conversation] = await withMessages(deps, [row], SHOWN_MESSAGES)
  if (!conversation) throw new Problem('question-link-not-found')
  const linkEndsAt = new Date(row.last_message_at.getTime() + QUESTION_LINK_DAYS * DAY_MS).toISOString()
  return { ...conversation, linkEndsAt }
}

type Words = { token: string; id: string; text: string }

/**
 * The link lets its holder write in its conversation, and in no other. Throws 'question-link-not-found', and
 * what `writeInConversation` does.
 */
export const writeByLink = async (deps: Deps, { token, id, text }: Words): Promise<LinkedConversation> => {
  const { id: conversationId } = await getByLink(deps, token)
  await writeInConversation(deps, { conversationId, id, text }, async () => true)
  return readQuestion(deps, token)
}
