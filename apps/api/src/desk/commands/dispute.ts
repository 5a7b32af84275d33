import * as disputes from '@hedgerow/contract/console/disputes'
import type { Command } from 'commander'
import { disputesRoutes } from '#desk/disputes/disputes.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addDispute = (program: Command): Command =>
  addCalls(program, {
    name: 'dispute',
    summary: 'disputes (chargebacks) of payments',
    description:
      'Disputes: a card holder’s bank takes money of a payment back. The gateway takes it from you at once; until it is decided, the shop refunds none of it.',
    contract: [disputes],
    answer: disputesRoutes,
  })
