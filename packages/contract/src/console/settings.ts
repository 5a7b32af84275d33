import { PRICE_NAMES, PRICE_SETTINGS, type PriceSetting } from '@hedgerow/domain/price-settings'
import {
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
} from '@hedgerow/domain/running-settings'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, moment, optional, text } from './fields.ts'
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

const settingColumns = columnsOf<SettingView>([
  { name: 'name', title: 'Setting', kind: 'word' },
  { name: 'value', title: 'Value', kind: 'text' },
  { name: 'usual', title: 'If not set', kind: 'word' },
  { name: 'setAt', title: 'Set', kind: 'time' },
  { name: 'by', title: 'By', kind: 'text' },
])

const sees = {
  access: 'operator',
  permission: 'settings.see',
  consequence: 'looks',
  record: 'reads',
} as const
const changes = { access: 'operator', permission: 'settings.change', consequence: 'rules' } as const

export const listRunningSettings = operatorEndpoint({
  ...consoleRoutes.listRunningSettings,
  ...sees,
  command: 'setting list',
  summary: 'What can be set while the shop runs, by whom and when it was',
  columns: settingColumns,
  schema: { response: { 200: z.array(SettingView) } },
})

const valueFields = {
  value: text('Value', z.string().check(z.maxLength(1_000)), {
    hint: 'An amount like 1.20, a number, or a line',
  }),
}
/** Of a price, what typical orders come to. */
const SetReply = z.object({
  orders: z.optional(z.array(z.object({ order: z.string(), before: z.string(), after: z.string() }))),
})

export const setRunningSetting = operatorEndpoint({
  ...consoleRoutes.setRunningSetting,
  ...changes,
  record: { changes: 'setting set', subject: 'name', keeps: ['value'] },
  summary: 'Set one',
  asks: 'Does the shop go by it from now on? Orders that are there keep what they were made with.',
  done: 'It counts from now on',
  fields: valueFields,
  schema: { params: z.object({ name }), body: bodyOf(valueFields), response: { 200: SetReply } },
})

export const clearRunningSetting = operatorEndpoint({
  ...consoleRoutes.clearRunningSetting,
  ...changes,
  record: { changes: 'setting clear', subject: 'name' },
  summary: 'Go by the default again, or by what the shop was started with',
  asks: 'Does the shop go by what is usual again?',
  done: 'It is not set any more',
  schema: { params: z.object({ name }), response: { 200: SetReply } },
})

const price = (name: PriceSetting) => {
  const { least, most } = RUNNING_SETTINGS[name]
  return optional({
    kind: 'sum' as const,
    label: PRICE_NAMES[name],
    schema: z.int().check(z.minimum(least), z.maximum(most)),
  })
}

/** In minor units of whatever currency. */
const prices = Object.fromEntries(PRICE_SETTINGS.map((name) => [name, price(name)])) as Record<
  PriceSetting,
  ReturnType<typeof price>
>

const PriceChangeView = z.object({ id: z.string(), prices: bodyOf(prices), dueAt: Time })

export const listPriceChanges = operatorEndpoint({
  ...consoleRoutes.listPriceChanges,
  ...sees,
  command: 'setting scheduled',
  summary: 'Prices of the calculator that are to count from a moment on, the next first',
  columns: columnsOf<z.infer<typeof PriceChangeView>>([
    { name: 'id', title: 'Change', kind: 'id' },
    { name: 'dueAt', title: 'From', kind: 'time' },
    { name: 'prices', title: 'Prices, in minor units', kind: 'pairs' },
  ]),
  schema: { response: { 200: z.array(PriceChangeView) } },
})

const priceFields = {
  ...prices,
  dueAt: optional(moment('From', { hint: 'At once if left empty' })),
}

export const changePrices = operatorEndpoint({
  ...consoleRoutes.changePrices,
  ...changes,
  command: 'setting prices',
  record: { changes: 'setting set', keeps: [...PRICE_SETTINGS, 'dueAt'] },
  summary: 'Change prices of the calculator, now or from a moment on. Orders that are there keep their total',
  asks: 'Is the calculator to compute with these?',
  fields: priceFields,
  schema: {
    body: bodyOf(priceFields),
    response: { 200: z.object({ id: z.nullable(z.string()), isDone: z.boolean() }) },
  },
  problems: [409],
})

export const dropPriceChange = operatorEndpoint({
  ...consoleRoutes.dropPriceChange,
  ...changes,
  record: { changes: 'setting unschedule', subject: 'changeId' },
  summary: 'Do not change the prices that were to change',
  asks: 'Leave the prices as they are?',
  done: 'Taken back',
  schema: { params: z.object({ changeId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
