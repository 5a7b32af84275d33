import type * as contract from '@hedgerow/contract/console/inbox'
import {
  addCannedReply,
  assignInInbox,
  closeInInbox,
  decideInInbox,
  exportInbox,
  listCannedReplies,
  listColleagues as listColleaguesEndpoint,
  listInbox,
  openConversation,
  removeCannedReply,
  replyInInbox,
} from '@hedgerow/contract/console/inbox'
import { maskName } from '@hedgerow/domain/masked'
import { topicOf } from '@hedgerow/domain/topic'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { type InboxRow, inboxOrder, listCanned, selectInbox } from '#desk/inbox/inbox.queries.ts'
import {
  addCanned,
  assignConversation,
  listColleagues,
  openForOperator,
  removeCanned,
  replyAsOperator,
} from '#desk/inbox/inbox.ts'
import { closeConversation, decideApplication } from '#people/conversations/operator-replies.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

const listed = (row: InboxRow, { permissions }: OperatorCaller): contract.ListedConversation => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  name: maskName(row.name),
  lastMessageAt: row.last_message_at.toISOString(),
  waitingSince: row.is_waiting ? row.waiting_since.toISOString() : null,
  topic: permissions.has('conversations.open') ? topicOf(row.last_words ?? '', row.name) : null,
  lastAuthor: row.last_author,
  customerId: row.customer_id,
  assignedTo:
    row.operator_id !== null && row.operator_name !== null
      ? { id: row.operator_id, name: row.operator_name }
      : null,
  isUnread: row.is_unread,
})

/** A shell is no operator. */
const idOf = ({ id, by }: OperatorCaller): string | null => (by === 'shell' && id === '' ? null : id)

const inbox: ListDefinition<
  z.output<typeof listInbox.schema.querystring>,
  InboxRow,
  contract.ListedConversation
> = {
  query: (db, { waits, unread, kind, state, of, customerId }, operator) => {
    const search = { kind, state, of, customerId, isUnread: unread === 'yes', isWaiting: waits === 'yes' }
    return selectInbox(db, idOf(operator), search, true)
  },
  ...inboxOrder,
  show: listed,
  columns: [
    ...fileColumns(listInbox.columns),
    { name: 'assignedTo', title: 'Answers', cell: ({ assignedTo }) => assignedTo?.name ?? '' },
  ],
}

const cannedRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  implementForOperators(app, deps, listCannedReplies, () => listCanned(deps.db))

  implementForOperators(app, deps, addCannedReply, async ({ body, recordSubject }) => {
    const id = await addCanned(deps, body)
    recordSubject(id)
    return { id }
  })

  implementForOperators(app, deps, removeCannedReply, async ({ params }) => {
    await removeCanned(deps, params.replyId)
    return {}
  })
}

/** What people wrote to the shop, and its answers. */
export const inboxRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  serveList(app, deps, { list: listInbox, file: exportInbox, fileName: 'inbox' }, inbox)

  implementForOperators(app, deps, openConversation, async ({ params, operator }) => {
    const { row, messages } = await openForOperator(deps, idOf(operator), params.conversationId)
    return {
      ...listed({ ...row, is_unread: false }, operator),
      name: row.name,
      email: row.email,
      createdAt: row.created_at.toISOString(),
      messages: messages.map(({ id, author, by, text, created_at }) => ({
        id,
        author,
        by,
        text,
        at: created_at.toISOString(),
      })),
    }
  })

  implementForOperators(app, deps, replyInInbox, async ({ params, body, operator }) => {
    const { row } = await openForOperator(deps, idOf(operator), params.conversationId)
    const operatorId = idOf(operator)
    if (operatorId === null && body.text.includes('{operator}'))
      throw invalidField('text', 'Write your name in place of {operator}: a shell has none.')
    if (operatorId !== null && body.after === undefined)
      throw invalidField('after', 'Say which message was the newest that you read.')
    const reply = { ...params, ...body, name: row.name, operatorName: operator.name }
    return { isNew: await replyAsOperator(deps, operatorId, reply) }
  })

  implementForOperators(app, deps, closeInInbox, async ({ params }) => ({
    isChanged: await closeConversation(deps, params.conversationId),
  }))

  implementForOperators(app, deps, decideInInbox, async ({ params, body }) => {
    const note = body.note || undefined
    const outcome = await decideApplication(deps, { ...params, state: body.state, note })
    if (outcome.kind === 'gone') throw new Problem('conversation-not-found')
    if (outcome.kind === 'refused')
      throw refused(`the application is ${outcome.from}. To change that, set it to talking first`)
    if (outcome.kind === 'same' && !outcome.isNoteKnown)
      throw refused(`the application is already ${body.state}, so the note was not sent. Send it as a reply`)
    return { isChanged: outcome.kind === 'set' }
  })

  implementForOperators(app, deps, assignInInbox, async ({ params, body }) => {
    await assignConversation(deps, params.conversationId, body)
    return {}
  })

  implementForOperators(app, deps, listColleaguesEndpoint, () => listColleagues(deps))

  cannedRoutes(app, deps)
}
