import * as payments from '@hedgerow/contract/console/payments'
import { listUnknownPayments } from '@hedgerow/contract/console/unknown-payments'
import type { Command } from 'commander'
import { addAdopt } from '#desk/commands/payment-adopt.ts'
import { paymentsRoutes } from '#desk/payments/payments.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { accountIdOf } from '#desk/tool/find-account.ts'
import { unknownPaymentsRoutes } from '#desk/unknown-payments/unknown-payments.routes.ts'

export const addPayment = (program: Command): void => {
  const payment = addCalls(program, {
    name: 'payment',
    summary: 'customers’ payments',
    description: 'Show payments, cancel them, and end those that do not end by themselves.',
    contract: [payments, { listUnknownPayments }],
    answer: (calls, deps) => {
      paymentsRoutes(calls, deps)
      unknownPaymentsRoutes(calls, deps)
    },
    finds: { customerId: accountIdOf },
    previews: {
      'payment cancel': payments.previewConsoleCancel,
      'payment settle': payments.getPayment,
    },
  })
  addAdopt(payment)
}
