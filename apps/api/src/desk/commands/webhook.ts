import * as webhooks from '@hedgerow/contract/console/webhooks'
import type { Command } from 'commander'
import { addCalls } from '#desk/tool/call-commands.ts'
import { webhooksRoutes } from '#desk/webhooks/webhooks.routes.ts'

export const addWebhooks = (program: Command): Command =>
  addCalls(program, {
    name: 'webhook',
    summary: 'programs that are told of what happens',
    description: 'Programs elsewhere that the shop tells of what happens, by signed messages.',
    contract: [webhooks],
    answer: webhooksRoutes,
  })
