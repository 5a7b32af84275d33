import * as payments from '@hedgerow/contract/console/payments'
import type { Command } from 'commander'
import { paymentsRoutes } from '#desk/payments/payments.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addRefund = (program: Command): Command =>
  addCalls(program, {
    name: 'refund',
    summary: 'refund a payment',
    description:
      'Refund a payment, in whole or in part, once: a repeat says what came of the first. It records the refund; the running shop sends it to the gateway and mails the customer. What was bought ends once all of it has been refunded.',
    contract: [payments],
    answer: paymentsRoutes,
    previews: { refund: payments.getPayment },
  })
