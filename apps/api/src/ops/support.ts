import type { Command } from 'commander'
import { closeConversation } from '#conversations/operate-conversations.ts'
import { changes } from './classes.ts'
import { addConversations, conversationWith } from './conversations.ts'
import { JSON_OPTION } from './options.ts'
import { presentConversationRow } from './present-conversation.ts'
import { say, sayJson } from './print.ts'
import { withDatabase } from './with-database.ts'

const close = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const { id: conversationId } = await conversationWith(db, 'support', id)
    const isChanged = await closeConversation({ db }, conversationId)
    const now = await conversationWith(db, 'support', conversationId)
    if (json) return sayJson({ isChanged, ...presentConversationRow(now) })
    say(isChanged ? 'It is closed. If the customer writes on, it is new again.' : 'It was closed before.')
  })

export const addSupport = (program: Command): void => {
  const support = program
    .command('support')
    .summary('messages to support')
    .description('What customers write to support, and the answers.')
    .helpCommand(false)
  addConversations(support, 'support')
  changes(support.command('close'))
    .argument('<conversation>', 'its number, or 8 characters or more of it')
    .description('Nothing is left to do. The customer gets no mail, and opens it again by writing on.')
    .addOption(JSON_OPTION)
    .action(close)
}
