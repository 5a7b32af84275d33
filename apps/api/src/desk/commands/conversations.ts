import * as inbox from '@hedgerow/contract/console/inbox'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import type { ConversationKind } from '@hedgerow/domain/conversations'
import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { inboxRoutes } from '#desk/inbox/inbox.routes.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say, sayFacts } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { findConversationsByStart } from '#people/conversations/conversations.service.ts'
import type { Db } from '#platform/database/client.ts'

/** By the whole number, or by eight characters of its beginning or more. */
const conversationIdOf =
  (kind: ConversationKind) =>
  async (db: Db, typed: string): Promise<string> => {
    const digits = typed.toLowerCase().replaceAll('-', '')
    if (!/^[0-9a-f]{8,32}$/.test(digits))
      throw new Refusal(
        `${typed} is not the number of a conversation. Give all of it, or at least its first 8 characters.`,
      )
    const [found, another] = await findConversationsByStart(db, kind, digits)
    if (!found) throw new Refusal(`There is no ${kind} conversation ${typed}.`)
    if (another) throw new Refusal(`Several numbers begin with ${typed}. Give more characters.`)
    recordSubject(found.id)
    return found.id
  }

const sayConversation = (shown: inbox.ConversationPage): void => {
  const { id, state, name, email, customerId, createdAt, messages } = shown
  sayFacts([
    ['Number', id],
    ['State', state],
    ['From', `${name} <${email}>${customerId ? '' : ', without an account'}`],
    ['Since', formatDateTime(new Date(createdAt))],
  ])
  for (const { author, by, at, text } of messages) {
    say('')
    say(`${formatDateTime(new Date(at))}, ${author === 'operator' ? (by ?? 'the shop') : name}:`)
    for (const line of text.split('\n')) say(line && `  ${line}`)
  }
}

type About = { name: ConversationKind; summary: string; description: string }

/** Support and applications: both are conversations in the inbox, by commands of their own. */
export const addConversations = (program: Command, about: About, acts: readonly OperatorEndpoint[]): void => {
  const { name: kind } = about
  addCalls(program, {
    ...about,
    contract: [
      {
        list: { ...inbox.listInbox, command: `${kind} list` },
        file: { ...inbox.exportInbox, command: `${kind} list` },
        show: { ...inbox.openConversation, command: `${kind} show` },
        reply: { ...inbox.replyInInbox, command: `${kind} reply` },
      },
      acts,
    ],
    answer: inboxRoutes,
    finds: { conversationId: conversationIdOf(kind) },
    // What is someone's own, or unread, takes a session.
    fixed: { kind, of: undefined, unread: undefined },
    prints: { [`${kind} show`]: sayConversation },
  })
}
