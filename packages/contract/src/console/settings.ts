import { PRICE_SETTINGS, type PriceSetting } from '@hedgerow/domain/price-settings'
import {
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
} from '@hedgerow/domain/running-settings'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
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

const price = (name: PriceSetting) => {
  const { least, most } = RUNNING_SETTINGS[name]
  return z.optional(z.number().check(z.int(), z.minimum(least), z.maximum(most)))
}

/** In minor units of whatever currency. */
const prices = Object.fromEntries(PRICE_SETTINGS.map((name) => [name, price(name)])) as Record<
  PriceSetting,
  ReturnType<typeof price>
>

const PriceChangeView = z.object({
  id: z.string(),
  prices: z.object(prices),
  dueAt: Time,
})

export const listPriceChanges = operatorEndpoint({
  ...consoleRoutes.listPriceChanges,
  access: 'operator',
  permission: 'settings.see',
  record: 'reads',
  summary: 'Prices of the calculator that are to count from a moment on, the next first',
  schema: { response: { 200: z.array(PriceChangeView) } },
})

export const changePrices = operatorEndpoint({
  ...consoleRoutes.changePrices,
  access: 'operator',
  permission: 'settings.change',
  record: { changes: 'setting set', keeps: [...PRICE_SETTINGS, 'dueAt'] },
  asksAgain: true,
  summary: 'Change prices of the calculator, now or from a moment on. Orders that are there keep their total',
  schema: {
    body: z.object({ ...prices, dueAt: z.optional(z.iso.datetime()) }),
    response: { 200: z.object({ id: z.nullable(z.string()), isDone: z.boolean() }) },
  },
  problems: [409],
})

export const dropPriceChange = operatorEndpoint({
  ...consoleRoutes.dropPriceChange,
  access: 'operator',
  permission: 'settings.change',
  record: { changes: 'setting unschedule', subject: 'changeId' },
  asksAgain: true,
  summary: 'Do not change the prices that were to change',
  schema: { params: z.object({ changeId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
