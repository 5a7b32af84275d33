import * as checks from '@hedgerow/contract/console/checks'
import type { Command } from 'commander'
import { checksRoutes } from '#desk/checks/checks.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addChecks = (program: Command): Command =>
  addCalls(program, {
    name: 'check',
    summary: 'what the running shop found when it last looked at what it needs',
    description: 'What the running shop looks at all the while. To look at more, and at once: doctor.',
    contract: [checks],
    answer: checksRoutes,
  })
