import * as contract from '@hedgerow/contract/console/settlement'
import type { Command } from 'commander'
import { addSettlementShow } from '#desk/commands/settlement-show.ts'
import { settlementRoutes } from '#desk/settlement/settlement.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

// What the console compares is a command of the tool's own: settlement-show.ts.
const { compareSettlement: _, ...calls } = contract

export const addSettlement = (program: Command): void => {
  const settlement = addCalls(program, {
    name: 'settlement',
    summary: 'what the gateway booked, and paid to the bank',
    description:
      'What the gateway booked on your balance: sales, refunds, chargebacks, fees and payouts, held against what the shop knows.',
    contract: [calls],
    answer: settlementRoutes,
    exitCodes: {
      'settlement fetch': ({ unreadable }: { unreadable: string[] }) => (unreadable.length > 0 ? 1 : 0),
    },
  })
  addSettlementShow(settlement)
}
