import * as rates from '@hedgerow/contract/console/rates'
import type { Command } from 'commander'
import { ratesRoutes } from '#desk/rates/rates.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addRate = (program: Command): Command =>
  addCalls(program, {
    name: 'rate',
    summary: 'rates for Blik, and of the books',
    description:
      'What euros and pounds are worth in PLN, which Blik is paid in; and, below sterling and ecb, in the books.',
    contract: [rates],
    answer: ratesRoutes,
  })
