import type { Command } from 'commander'
import { closeEnquiry } from '#enquiries/operate-enquiries.ts'
import { changes } from './classes.ts'
import { addConversations, conversationWith } from './conversations.ts'
import { JSON_OPTION } from './options.ts'
import { presentEnquiry } from './present-enquiry.ts'
import { say, sayJson } from './print.ts'
import { withDatabase } from './with-database.ts'

const close = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const { id: enquiryId } = await conversationWith(db, 'support', id)
    const isChanged = await closeEnquiry({ db }, enquiryId)
    const now = await conversationWith(db, 'support', enquiryId)
    if (json) return sayJson({ isChanged, ...presentEnquiry(now) })
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
