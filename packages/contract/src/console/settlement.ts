import { GATEWAY_TITLES, GATEWAYS } from '@hedgerow/domain/gateways'
import { OPERATION_KINDS } from '@hedgerow/domain/settlement'
import * as z from 'zod/mini'
import {
  bodyOf,
  choice,
  choiceOf,
  FILE_BODY_BYTES,
  file,
  lines,
  optional,
  SentFile,
  tick,
  words,
} from './fields.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { Day, periodFields } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const sees = { access: 'operator', permission: 'books.see', consequence: 'looks', record: 'reads' } as const
const changes = { access: 'operator', permission: 'books.change' } as const

const Gateway = z.enum(GATEWAYS)

/** Something that a gateway booked on our balance. */
const OperationView = z.object({
  id: z.string(),
  gateway: Gateway,
  kind: z.enum(OPERATION_KINDS),
  paymentId: z.nullable(z.string()),
  at: Time,
  sum: Sum,
  standing: z.string(),
  explanation: z.nullable(z.string()),
  /** In the gateway's words. */
  type: z.nullable(z.string()),
  method: z.nullable(z.string()),
  card: z.nullable(z.string()),
  fee: Sum,
})
export type OperationView = z.infer<typeof OperationView>

const RunView = z.object({
  id: z.string(),
  gateway: Gateway,
  what: z.string(),
  from: Time,
  to: Time,
  startedAt: Time,
  endedAt: z.nullable(Time),
  new: z.int(),
  changed: z.int(),
  same: z.int(),
  leftOut: z.int(),
  /** Of the file. */
  sha256: z.nullable(z.string()),
})

export const getSettlementDesk = operatorEndpoint({
  ...consoleRoutes.getSettlementDesk,
  ...sees,
  command: 'settlement list',
  summary: 'Bookings of the gateway that are not explained, and what was fetched and imported',
  schema: {
    response: {
      200: z.object({
        runs: z.array(RunView),
        open: z.array(OperationView),
        canFetch: z.boolean(),
        /** Those that have booked something, as far as it was fetched or imported. */
        gateways: z.array(Gateway),
      }),
    },
  },
})

const explanation = { text: words('What it was', 1, 500, { hint: 'It no longer counts as a difference' }) }

export const explainBooking = operatorEndpoint({
  ...consoleRoutes.explainBooking,
  ...changes,
  consequence: 'books',
  record: { changes: 'settlement explain', subject: 'operationId' },
  summary: 'Say what a booking was that only the gateway knows of',
  fields: explanation,
  done: 'Explained',
  schema: {
    params: z.object({ operationId: z.string().check(z.maxLength(120)) }),
    body: bodyOf(explanation),
    response: { 200: z.object({}) },
  },
  problems: [404],
})

const days = { from: Day, to: Day }

/** What the gateway now says otherwise than before. */
const ChangeView = z.object({ id: z.string(), what: z.string(), before: z.string(), after: z.string() })

const fetchFields = {
  ...periodFields,
  gateway: optional(
    choiceOf('Gateway', GATEWAYS, (name) => GATEWAY_TITLES[name], { none: 'All that the shop has keys of' }),
  ),
}

export const fetchConsoleSettlement = operatorEndpoint({
  ...consoleRoutes.fetchConsoleSettlement,
  ...changes,
  consequence: 'stays',
  record: { changes: 'settlement fetch', keeps: ['from', 'to', 'month', 'quarter', 'gateway'] },
  summary: 'Fetch what the gateways booked on some days. As often as one likes: each operation is kept once',
  fields: fetchFields,
  schema: {
    body: bodyOf(fetchFields),
    response: {
      200: z.object({
        operations: z.int(),
        new: z.int(),
        same: z.int(),
        leftOut: z.int(),
        changed: z.array(ChangeView),
        unreadable: z.array(z.string()),
        /** False: the time was over, and asking again goes on. */
        isWhole: z.boolean(),
        /** Whether a gateway reported the balances at the beginning and the end. */
        hasBalances: z.boolean(),
      }),
    },
  },
  problems: [409, 502],
})

/** A line each: 'field=column', or 'word=kind'. */
const pairs = z._default(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(60)), [])

const importFields = {
  file: file('The file (CSV)', { hint: 'At most 10 MB, a row for each operation' }),
  columns: lines('Columns', {
    hint: 'Where they are called otherwise, like amount=Betrag. Fields: id, type, status, payment, amount, currency, booked, fee, time, project, method, card, arn, rrn, country',
  }),
  types: lines('Words for kinds', { hint: `Like Wpłata=sale. Kinds: ${OPERATION_KINDS.join(', ')}, none` }),
  decimal: optional(
    choice('Sums are written with a', [
      ['comma', 'comma: 10,50'],
      ['point', 'point: 10.50'],
    ]),
  ),
  days: optional(
    choice('5/11/2026 is', [
      ['dmy', 'the fifth of November'],
      ['mdy', 'the eleventh of May'],
    ]),
  ),
  fees: optional(
    choice('A fee of 1.00', [
      ['costs', 'was taken from us'],
      ['changes', 'was added to the balance'],
    ]),
  ),
  isMinor: tick('Sums are in cents or pence: 4517 is 45.17'),
}

export const importSettlement = operatorEndpoint({
  ...consoleRoutes.importSettlement,
  ...changes,
  bodyBytes: FILE_BODY_BYTES,
  consequence: 'books',
  record: { changes: 'settlement import' },
  summary: 'Take in a file of the gateway’s operations: all of it or nothing, and the same file once',
  fields: importFields,
  schema: {
    body: bodyOf(importFields),
    response: {
      200: z.object({
        isNew: z.boolean(),
        new: z.int(),
        same: z.int(),
        changed: z.array(ChangeView),
        leftOut: z.int(),
      }),
    },
  },
  problems: [409],
})

const maybe = z.nullable(z.int())

const SettledCurrencyView = z.object({
  currency: z.string(),
  openingMinor: maybe,
  salesMinor: z.int(),
  refundsMinor: z.int(),
  chargebacksMinor: z.int(),
  representmentsMinor: z.int(),
  feesMinor: z.int(),
  correctionsMinor: z.int(),
  exchangesMinor: z.int(),
  reservesMinor: z.int(),
  releasesMinor: z.int(),
  otherShopsMinor: z.int(),
  payoutsMinor: z.int(),
  changeMinor: z.int(),
  closingMinor: maybe,
  isOff: z.boolean(),
})

const EntryView = z.object({
  kind: z.string(),
  id: z.string(),
  paymentId: z.string(),
  at: Time,
  sum: Sum,
})

const BankPayout = z.object({ id: z.string(), at: Time, sum: Sum })

/** The most that is listed of each kind of difference. */
export const MOST_DIFFERENCES = 200

export const compareSettlement = operatorEndpoint({
  ...consoleRoutes.compareSettlement,
  ...changes,
  bodyBytes: FILE_BODY_BYTES,
  consequence: 'opens',
  record: { opens: 'settlement show', keeps: ['from', 'to', 'gateway'] },
  summary: 'What a gateway booked on some days, and all in which it differs from the shop or the bank',
  schema: {
    body: z.object({
      ...days,
      /** Left out: the only one that has booked something. */
      gateway: z.optional(Gateway),
      /** Sums like EUR=123.45: balances that the gateway does not report, and what the bank received. */
      opening: pairs,
      closing: pairs,
      bank: pairs,
      bankFile: z.optional(SentFile),
      bankColumns: pairs,
      bankCurrency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
      bankText: z.optional(z.string().check(z.maxLength(100))),
      bankDecimal: z.optional(z.enum(['comma', 'point'])),
      bankDays: z.optional(z.enum(['dmy', 'mdy'])),
    }),
    response: {
      200: z.object({
        gateway: Gateway,
        from: Time,
        to: Time,
        toldUpTo: z.nullable(Time),
        operations: z.int(),
        matched: z.int(),
        isDifferent: z.boolean(),
        currencies: z.array(SettledCurrencyView),
        onlyAtGateway: z.array(OperationView),
        onlyInShop: z.array(EntryView),
        differing: z.array(z.object({ gateway: OperationView, shop: EntryView })),
        explained: z.array(OperationView),
        bankTotals: z.nullable(
          z.array(z.object({ currency: z.string(), sentMinor: z.int(), receivedMinor: z.int() })),
        ),
        bankStatement: z.nullable(
          z.object({
            received: z.int(),
            missing: z.array(BankPayout),
            inTransit: z.array(BankPayout),
            strange: z.array(z.object({ line: z.int(), day: z.string(), description: z.string(), sum: Sum })),
          }),
        ),
      }),
    },
  },
})
