import * as promocodes from '@hedgerow/contract/console/promocodes'
import type { Command } from 'commander'
import { promocodesRoutes } from '#desk/promocodes/promocodes.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addPromocode = (program: Command): Command =>
  addCalls(program, {
    name: 'promocode',
    summary: "partners' promocodes",
    description: 'Partners’ promocodes. The discount is the percentage of the partner’s level.',
    contract: [promocodes],
    answer: promocodesRoutes,
  })
