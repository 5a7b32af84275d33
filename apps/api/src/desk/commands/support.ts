import { closeInInbox } from '@hedgerow/contract/console/inbox'
import type { Command } from 'commander'
import { addConversations } from '#desk/commands/conversations.ts'

export const addSupport = (program: Command): void =>
  addConversations(
    program,
    {
      name: 'support',
      summary: 'messages to support',
      description: 'What customers write to support, and the replies.',
    },
    [closeInInbox],
  )
