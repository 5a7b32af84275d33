import * as disputes from '@hedgerow/contract/console/payments'
import * as hints from '@hedgerow/contract/console/strays'
import type { Command } from 'commander'
import { disputesRoutes } from '#desk/console/disputes.routes.ts'
import { hintsRoutes } from '#desk/console/strays.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addDispute = (program: Command): void =>
  addCalls(
    program,
    'dispute',
    {
      summary: 'disputes (chargebacks) of payments',
      description:
        'Disputes: a card holder’s bank takes money of a payment back. The gateway takes it from you at once; until it is decided, the shop refunds none of it.',
    },
    {
      calls: [
        disputes.listDisputes,
        disputes.getDispute,
        disputes.openDispute,
        disputes.winDispute,
        disputes.loseDispute,
        disputes.answerDispute,
        disputes.disputeEvidence,
        hints.listDisputeHints,
        hints.fetchConsoleDisputes,
        hints.checkDisputeHints,
      ],
      answer: (calls, deps) => {
        disputesRoutes(calls, deps)
        hintsRoutes(calls, deps)
      },
    },
  )
