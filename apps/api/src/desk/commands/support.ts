import type { Command } from 'commander'
import { closeConversation } from '#desk/backoffice/operate-conversations.ts'
import { addConversations, conversationWith } from '#desk/commands/conversations.ts'
import { presentConversationRow } from '#desk/presentation/present-conversation.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const close = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const { id: conversationId } = await conversationWith(db, 'support', id)
    const isChanged = await closeConversation({ db }, conversationId)
    const now = await conversationWith(db, 'support', conversationId)
    if (json) return sayJson({ isChanged, ...presentConversationRow(now) })
    say(isChanged ? 'Closed. If the customer replies, it opens again as new.' : 'It was already closed.')
  })

export const addSupport = (program: Command): void => {
  const support = program
    .command('support')
    .summary('messages to support')
    .description('What customers write to support, and the replies.')
    .helpCommand(false)
  addConversations(support, 'support')
  changes(support.command('close'))
    .argument('<conversation>', 'its number, or at least the first 8 characters of it')
    .description(
      'Close a conversation that needs nothing more. The customer gets no mail, and can open it again by replying.',
    )
    .addOption(JSON_OPTION)
    .action(close)
}
