import * as record from '@hedgerow/contract/console/record'
import type { Command } from 'commander'
import { addRecordChain } from '#desk/commands/verify-record.ts'
import { recordRoutes } from '#desk/record/record.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addAudit = (program: Command): void =>
  addRecordChain(
    addCalls(program, {
      name: 'audit',
      summary: 'who did what',
      description: 'What operators did, and when. Records are kept for two years.',
      contract: [record],
      answer: recordRoutes,
    }),
  )
