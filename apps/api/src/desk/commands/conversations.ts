import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { MessageForm } from '@hedgerow/contract/conversations'
import {
  CONVERSATION_STATES,
  type ConversationKind,
  type ConversationState,
} from '@hedgerow/domain/conversations'
import { formatDateTime } from '@hedgerow/domain/dates'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  findConversations,
  listMessagesOf,
  replyToConversation,
  searchConversations,
} from '#desk/backoffice/operate-conversations.ts'
import { presentConversationRow, presentMessage } from '#desk/presentation/present-conversation.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayAside, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { ConversationWithEmail } from '#people/conversations/conversations.service.ts'
import type { Db } from '#platform/database/client.ts'

/** What support and applications have in common: both are conversations with a customer. */
type Json = { json?: true }

const LISTED = 200
const CALLED: Record<ConversationKind, string> = { support: 'support message', application: 'application' }

export const readState =
  <K extends ConversationKind>(
    kind: K,
    settable: readonly ConversationState<K>[] = CONVERSATION_STATES[kind],
  ) =>
  (text: string): ConversationState<K> => {
    const state = settable.find((one) => one === text.toLowerCase())
    if (!state) throw new InvalidArgumentError(`Expected one of: ${settable.join(', ')}.`)
    return state
  }

/** By the whole number, or by eight characters of its beginning or more. */
export const conversationWith = async (
  db: Db,
  kind: ConversationKind,
  id: string,
): Promise<ConversationWithEmail> => {
  const digits = id.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{8,32}$/.test(digits))
    throw new Refusal(
      `${id} is not the number of a conversation. Give all of it, or at least its first 8 characters.`,
    )
  const [found, another] = await findConversations({ db }, kind, digits)
  if (!found) throw new Refusal(`There is no ${CALLED[kind]} ${id}.`)
  if (another) throw new Refusal(`Several numbers begin with ${id}. Give more characters.`)
  recordSubject(found.id)
  return found
}

const SHORT_ID = 8

type Search = Json & { state?: ConversationState; limit: number }

const list =
  (kind: ConversationKind) =>
  ({ state, limit, json }: Search) =>
    withDatabase(async (db) => {
      const found = await searchConversations({ db }, { kind, state }, limit + 1)
      const rows = found.slice(0, limit)
      const hasMore = found.length > limit
      if (json) {
        const conversations = rows.map((row) => ({
          ...presentConversationRow(row),
          lastAuthor: row.last_author,
        }))
        return sayJson({ conversations, hasMore })
      }
      if (rows.length === 0) return say(`No ${CALLED[kind]}s found.`)
      sayTable(
        ['id', 'state', 'last message', 'by', 'name', 'customer'],
        rows.map((row) => [
          row.id.slice(0, SHORT_ID),
          row.state,
          formatDateTime(row.last_message_at),
          row.last_author ?? '',
          row.name,
          row.email,
        ]),
      )
      if (hasMore) say(`There are more than these ${limit}. Narrow the search by --state, or raise --limit.`)
    })

const show =
  (kind: ConversationKind) =>
  (id: string, { json }: Json) =>
    withDatabase(async (db) => {
      const row = await conversationWith(db, kind, id)
      const messages = await listMessagesOf({ db }, row.id)
      if (json) return sayJson({ ...presentConversationRow(row), messages: messages.map(presentMessage) })
      sayFacts([
        ['Number', row.id],
        ['State', row.state],
        ['From', `${row.name} <${row.email}>${row.customer_id ? '' : ', without an account'}`],
        ['Since', formatDateTime(row.created_at)],
      ])
      for (const { author, created_at, text } of messages) {
        say('')
        say(`${formatDateTime(created_at)}, ${author === 'operator' ? 'you' : row.name}:`)
        for (const line of text.split('\n')) say(line && `  ${line}`)
      }
    })

type Source = { text?: string; file?: string }

const whatIsGiven = ({ text, file }: Source): Promise<string> => {
  if (text !== undefined) return Promise.resolve(text)
  if (file === undefined) {
    if (toolRun().stdin.isTTY) sayAside('Type the text, then press Ctrl-D on a line of its own.')
    return readAll(toolRun().stdin)
  }
  return readFile(placeOf(file), 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Refusal(`${file} cannot be read (${code}). Nothing was sent.`)
  })
}

/** Cleaned and checked as what customers write. */
export const readMessage = (given: string): string => {
  const { data, error } = MessageForm.safeParse({ text: given })
  if (!data) throw new Refusal(`${error.issues[0]?.message ?? 'It cannot be sent'}. Nothing was sent.`)
  return data.text
}

type ReplyOptions = Source & Json & { close?: true; again?: true }

const reply =
  (kind: ConversationKind) =>
  async (id: string, { close, again, json, ...source }: ReplyOptions): Promise<void> => {
    const text = readMessage(await whatIsGiven(source))
    await withDatabase(async (db) => {
      const { id: conversationId, email } = await conversationWith(db, kind, id)
      const request = { conversationId, text, isAgain: again ?? false, closes: close ?? false }
      const outcome = await replyToConversation({ db }, request)
      if (outcome === 'gone') throw new Refusal('The conversation was deleted a moment ago.')
      const now = await conversationWith(db, kind, conversationId)
      if (json) return sayJson({ outcome, ...presentConversationRow(now) })
      say(
        outcome === 'sent'
          ? `Recorded: the running shop mails it to ${email}. The state is now ${now.state}.`
          : `The same text went to ${email} a few minutes ago, so it was not sent again. To send it once more, add --again. The state is ${now.state}.`,
      )
    })
  }

/** The commands of a group: list, show and reply. */
export const addConversations = (group: Command, kind: ConversationKind): void => {
  const what = CALLED[kind]
  opens(group.command('list'))
    .description(`Every ${what}, the one with the newest message first.`)
    .addOption(
      new Option('--state <state>', 'in this state')
        .choices(CONVERSATION_STATES[kind])
        .argParser(readState(kind)),
    )
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list(kind))
  opens(group.command('show'))
    .argument('<conversation>', 'its number, or at least the first 8 characters of it')
    .description('The whole conversation.')
    .addOption(JSON_OPTION)
    .action(show(kind))
  const replies = changes(group.command('reply'))
    .argument('<conversation>', 'its number, or at least the first 8 characters of it')
    .description('Reply. The reply is kept in the conversation, and the running shop mails it once.')
    .addOption(new Option('--text <text>', 'the reply').conflicts('file'))
    .option('--file <file>', 'a text file with the reply; without either, standard input is read')
    .option('--again', 'send the same text once more')
    .addOption(JSON_OPTION)
    .action(reply(kind))
  if (kind === 'support') replies.option('--close', 'close the conversation too')
}
