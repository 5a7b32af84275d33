import type { LinkedConversation, QuestionForm } from '@hedgerow/contract/conversations'
import {
  MOST_UNANSWERED_MESSAGES,
  MOST_WAITING_QUESTIONS,
  QUESTION_LINK_DAYS,
  QUESTIONS_ACKNOWLEDGED_A_DAY,
} from '@hedgerow/domain/conversations'
import {
  keepConversation,
  SHOWN_MESSAGES,
  withMessages,
  writeInConversation,
} from '#conversations/conversations.service.ts'
import { questionToken } from '#conversations/question-link.ts'
import {
  countQuestions,
  countUnanswered,
  findByLink,
  markOpened,
  waitForTurn,
} from '#conversations/questions.queries.ts'
import { hashToken } from '#crypto/tokens.ts'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { addJob } from '#queue/add-job.ts'

const DAY_MS = 86_400_000

/**
 * Takes a question of somebody without an account. Anybody can type any address, so it gets few acknowledgements a day;
 * what is above that is answered by a person all the same. Sent again it changes nothing. The answer says nothing of
 * whether there is such an account. Throws 'conversation-id-taken', and 'questions-full' while too many wait.
 */
export const askQuestion = async (
  { db, keyedHash }: With<'db' | 'keyedHash'>,
  { id, name, email, question }: QuestionForm & { id: string },
): Promise<{ _id: string }> => {
  const link_hash = hashToken(questionToken({ keyedHash }, { id, email }))
  await db.transaction().execute(async (trx) => {
    await waitForTurn(trx)
    const { waiting, of_today } = await countQuestions(trx, email)
    const head = { id, kind: 'support', customer_id: null, email, name, link_hash } as const
    if (!(await keepConversation(trx, { ...head, text: question }))) return
    if (waiting >= MOST_WAITING_QUESTIONS) throw new Problem('questions-full')
    if (of_today < QUESTIONS_ACKNOWLEDGED_A_DAY)
      await addJob(trx, 'mail-question-received', { conversationId: id })
  })
  return { _id: id }
}

type Deps = With<'db'>

const getByLink = async ({ db }: Deps, token: string) => {
  const row = await findByLink(db, hashToken(token))
  if (!row) throw new Problem('question-link-not-found')
  return row
}

/** Throws 'question-link-not-found', whether there never was such a link or its days are over. */
export const readQuestion = async (deps: Deps, token: string): Promise<LinkedConversation> => {
  const row = await getByLink(deps, token)
  if (!row.link_opened_at) await markOpened(deps.db, row.id)
  const [conversation] = await withMessages(deps, [row], SHOWN_MESSAGES)
  if (!conversation) throw new Problem('question-link-not-found')
  const linkEndsAt = new Date(row.last_message_at.getTime() + QUESTION_LINK_DAYS * DAY_MS).toISOString()
  return { ...conversation, linkEndsAt }
}

type Words = { token: string; id: string; text: string }

/**
 * Whoever has the link writes in its conversation, and in no other. Throws 'question-link-not-found', and
 * 'messages-unanswered' when it is our turn.
 */
export const writeByLink = async (deps: Deps, { token, id, text }: Words): Promise<LinkedConversation> => {
  const { id: conversationId } = await getByLink(deps, token)
  await writeInConversation(deps, { conversationId, id, text }, async (trx) => {
    if ((await countUnanswered(trx, conversationId, id)) >= MOST_UNANSWERED_MESSAGES)
      throw new Problem('messages-unanswered')
    return true
  })
  return readQuestion(deps, token)
}
