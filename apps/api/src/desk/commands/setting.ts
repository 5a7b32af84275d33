import * as settings from '@hedgerow/contract/console/settings'
import type { Command } from 'commander'
import { settingsRoutes } from '#desk/settings/settings.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addSetting = (program: Command): Command =>
  addCalls(program, {
    name: 'setting',
    summary: 'prices of the calculator, the announcement, and what else may change while the shop runs',
    description: 'What may change while the shop runs. Every process goes by it at once.',
    contract: [settings],
    answer: (calls, { db, settings: startedWith }) => settingsRoutes(calls, { db, startedWith }),
  })
