import { decideInInbox } from '@hedgerow/contract/console/inbox'
import type { Command } from 'commander'
import { addConversations } from '#desk/commands/conversations.ts'

export const addApplication = (program: Command): void =>
  addConversations(
    program,
    {
      name: 'application',
      summary: 'white-label applications',
      description:
        'Applications for the white-label programme. Applicants get an email about every decision.',
    },
    [decideInInbox],
  )
