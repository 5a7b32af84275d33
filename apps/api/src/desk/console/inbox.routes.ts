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
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type InboxRow, listCanned, selectInbox } from '#desk/backoffice/inbox.queries.ts'
import {
  addCanned,
  assignConversation,
  listColleagues,
  openForOperator,
  removeCanned,
  replyAsOperator,
} from '#desk/backoffice/inbox.ts'
import { closeConversation, decideApplication } from '#desk/backoffice/operate-conversations.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import { Problem } from '#platform/http/problems.ts'

const listed = (row: InboxRow): contract.ListedConversation => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  name: maskName(row.name),
  lastMessageAt: row.last_message_at.toISOString(),
  lastAuthor: row.last_author,
  customerId: row.customer_id,
  assignedTo:
    row.operator_id !== null && row.operator_name !== null
      ? { id: row.operator_id, name: row.operator_name }
      : null,
  isUnread: row.is_unread,
})

const inbox: ListDefinition<
  z.output<typeof listInbox.schema.querystring>,
  InboxRow,
  contract.ListedConversation
> = {
  query: (db, { unread, kind, state, of, customerId }, { id }) =>
    selectInbox(db, id, { kind, state, of, customerId, isUnread: unread === 'yes' }),
  sorts: { lastMessageAt: { by: sql`conversations.last_message_at`, type: 'timestamptz' } },
  id: { by: sql`conversations.id`, type: 'uuid' },
  show: listed,
  columns: [
    { name: 'id', title: 'Conversation', cell: ({ id }) => id },
    { name: 'lastMessageAt', title: 'Last message (UTC)', cell: ({ lastMessageAt }) => lastMessageAt },
    { name: 'kind', title: 'Kind', cell: ({ kind }) => kind },
    { name: 'state', title: 'State', cell: ({ state }) => state },
    { name: 'name', title: 'Name', cell: ({ name }) => plainText(name) },
    { name: 'assignedTo', title: 'Answers', cell: ({ assignedTo }) => plainText(assignedTo?.name ?? '') },
    { name: 'customerId', title: 'Customer', cell: ({ customerId }) => customerId ?? '' },
  ],
}

const cannedRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
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
export const inboxRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  serveList(app, deps, { list: listInbox, file: exportInbox, fileName: 'inbox' }, inbox)

  implementForOperators(app, deps, openConversation, async ({ params, operator }) => {
    const { row, messages } = await openForOperator(deps, operator.id, params.conversationId)
    return {
      ...listed({ ...row, is_unread: false }),
      name: row.name,
      createdAt: row.created_at.toISOString(),
      messages: messages.map(({ id, author, text, created_at }) => ({
        id,
        author,
        text,
        at: created_at.toISOString(),
      })),
    }
  })

  implementForOperators(app, deps, replyInInbox, async ({ params, body, operator }) => {
    const { row } = await openForOperator(deps, operator.id, params.conversationId)
    await replyAsOperator(deps, operator.id, {
      ...params,
      ...body,
      name: row.name,
      operatorName: operator.name,
    })
    return {}
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
