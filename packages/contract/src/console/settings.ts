import { RUNNING_SETTING_NAMES, type RunningSetting } from '@hedgerow/domain/running-settings'
import * as z from 'zod/mini'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const name = z.enum(RUNNING_SETTING_NAMES as [RunningSetting, ...RunningSetting[]])

const SettingView = z.object({
  name,
  /** As it is typed; null: none. */
  value: z.nullable(z.string()),
  /** What the shop was started with; null: none. */
  usual: z.nullable(z.string()),
  setAt: z.nullable(Time),
  by: z.nullable(z.string()),
})
export type SettingView = z.infer<typeof SettingView>

export const listRunningSettings = operatorEndpoint({
  ...consoleRoutes.listRunningSettings,
  access: 'operator',
  permission: 'settings.see',
  record: 'reads',
  summary: 'What can be set while the shop runs, by whom and when it was',
  schema: { response: { 200: z.array(SettingView) } },
})

export const setRunningSetting = operatorEndpoint({
  ...consoleRoutes.setRunningSetting,
  access: 'operator',
  permission: 'settings.change',
  record: { changes: 'setting set', subject: 'name', keeps: ['value'] },
  asksAgain: true,
  summary: 'Set one, or with null go by the shop’s start again',
  schema: {
    params: z.object({ name }),
    body: z.object({ value: z.nullable(z.string().check(z.maxLength(1_000))) }),
    response: { 200: z.object({}) },
  },
})
