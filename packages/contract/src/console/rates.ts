import { BLIK_CURRENCY } from '@hedgerow/domain/exchange'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { bodyOf, choiceOf, day, FILE_BODY_BYTES, file, text, tick, withDefault } from './fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { Month } from './periods.ts'
import { consoleRoutes } from './routes.ts'

export const RateView = z.object({
  currency: z.string(),
  /** Of the books: its month or day. */
  when: z.nullable(z.string()),
  /** '4.2512' */
  rate: z.string(),
  setAt: Time,
})
export type RateView = z.infer<typeof RateView>

const rateColumns = (when: string, rate: string) =>
  columnsOf<RateView>([
    { name: 'when', title: when, kind: 'word' },
    { name: 'currency', title: 'Currency', kind: 'word' },
    { name: 'rate', title: rate, kind: 'word' },
    { name: 'setAt', title: 'Set', kind: 'time' },
  ])

const reads = {
  access: 'operator',
  permission: 'books.see',
  consequence: 'looks',
  record: 'reads',
  schema: { response: { 200: z.array(RateView) } },
} as const

export const listBlikRates = operatorEndpoint({
  ...consoleRoutes.listBlikRates,
  ...reads,
  command: 'rate list',
  summary: 'What one unit of each currency is worth in PLN now, which Blik is paid in',
  columns: rateColumns('When', 'PLN').slice(1),
})

export const listSterlingRates = operatorEndpoint({
  ...consoleRoutes.listSterlingRates,
  ...reads,
  command: 'rate sterling list',
  summary: 'What £1 is worth in the books: HMRC’s monthly rates, the latest first',
  columns: rateColumns('Month', 'For £1'),
})

export const listEcbRates = operatorEndpoint({
  ...consoleRoutes.listEcbRates,
  ...reads,
  command: 'rate ecb list',
  summary:
    'What €1 is worth in a return of the One Stop Shop: the European Central Bank’s rates of a day, the latest first',
  columns: rateColumns('Day', 'For €1'),
})

const rate = (hint: string) =>
  text(
    'Rate',
    z.string().check(z.trim(), z.regex(/^\d{1,3}(?:\.\d{1,6})?$/, 'A rate is written like 4.2512.')),
    { hint },
  )
const isMeant = tick('More than a tenth away from the one beside is meant')
const correct = tick('Replace one that is there', { hint: 'Unless an invoice was written with it' })

const sets = {
  access: 'operator',
  permission: 'books.change',
  consequence: 'books',
  problems: [409],
} as const
const keeps = ['currency', 'rate', 'correct'] as const
const setReply = {
  /** `was`: the rate that it has replaced. */
  response: {
    200: z.object({
      isChanged: z.boolean(),
      ...z.omit(RateView, { setAt: true }).shape,
      was: z.nullable(z.string()),
    }),
  },
} as const

const blikFields = {
  currency: choiceOf('Currency', CURRENCY_CODES),
  rate: rate('PLN for one unit, like 4.2512'),
  isMeant,
}

export const setBlikRate = operatorEndpoint({
  ...consoleRoutes.setBlikRate,
  ...sets,
  consequence: 'publishes',
  record: { changes: 'rate set', subject: 'currency', keeps: ['rate'] },
  summary: 'Set a rate for Blik, from now on. Payments under way keep theirs',
  fields: blikFields,
  schema: { body: bodyOf(blikFields), ...setReply },
})

const sterlingFields = {
  month: text('Month', Month, { hint: 'Like 2026-11; at most one month ahead' }),
  /** What is sold in, and what the fees of Blik are in. */
  currency: withDefault(choiceOf('Currency', ['EUR', BLIK_CURRENCY]), 'EUR'),
  rate: rate('For £1, like 1.1534'),
  isMeant,
  correct,
}

export const setSterlingRate = operatorEndpoint({
  ...consoleRoutes.setSterlingRate,
  ...sets,
  record: { changes: 'rate sterling set', subject: 'month', keeps },
  summary: 'Set HMRC’s rate of a month',
  fields: sterlingFields,
  schema: { body: bodyOf(sterlingFields), ...setReply },
})

const ecbFields = { day: day('Day'), rate: rate('GBP for €1, like 0.8731'), isMeant, correct }

export const setEcbRate = operatorEndpoint({
  ...consoleRoutes.setEcbRate,
  ...sets,
  record: { changes: 'rate ecb set', subject: 'day', keeps },
  summary: 'Set the European Central Bank’s rate of a day',
  fields: ecbFields,
  schema: { body: bodyOf(ecbFields), ...setReply },
})

const importFields = { file: file('The file (CSV)'), isMeant, correct }

export const importHmrcRates = operatorEndpoint({
  ...consoleRoutes.importHmrcRates,
  ...sets,
  bodyBytes: FILE_BODY_BYTES,
  record: { changes: 'rate sterling import', keeps: ['correct'] },
  summary: 'Take over the rates of the shop’s currencies from HMRC’s monthly file, all or none',
  fields: importFields,
  schema: {
    body: bodyOf(importFields),
    response: { 200: z.object({ set: z.int(), known: z.int() }) },
  },
})
