import * as batches from '@hedgerow/contract/console/payout-batches'
import * as withdrawals from '@hedgerow/contract/console/withdrawals'
import type { Command } from 'commander'
import { addCalls } from '#desk/tool/call-commands.ts'
import { accountIdOf } from '#desk/tool/find-account.ts'
import { bankAnswersRoutes, hasOddAnswer } from '#desk/withdrawals/bank-answers.routes.ts'
import { batchesRoutes } from '#desk/withdrawals/batches.routes.ts'
import { withdrawalsRoutes } from '#desk/withdrawals/withdrawals.routes.ts'

export const addWithdrawal = (program: Command): void => {
  const { previewBankAnswers, ...calls } = batches
  // Paper is made in a thread of the shop's.
  const { commissionPdf: _, ...ofWithdrawals } = withdrawals
  addCalls(program, {
    name: 'withdrawal',
    summary: 'partners’ withdrawals',
    description:
      'Withdrawals from partner accounts. The shop sends no money itself: you send it, then record it here.',
    contract: [ofWithdrawals, calls],
    answer: (app, deps) => {
      withdrawalsRoutes(app, deps)
      batchesRoutes(app, deps)
      bankAnswersRoutes(app, deps)
    },
    finds: { partnerId: accountIdOf },
    previews: { 'withdrawal import': previewBankAnswers },
    exitCodes: { 'withdrawal import': (reply) => (hasOddAnswer(reply) ? 1 : 0) },
  })
}
