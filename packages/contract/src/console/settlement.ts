import { OPERATION_KINDS } from '@hedgerow/domain/settlement'
import * as z from 'zod/mini'
import { FILE_BODY_BYTES, SentFile } from './fields.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { Day } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const sees = { access: 'operator', permission: 'books.see', record: 'reads' } as const
const changes = { access: 'operator', permission: 'books.change' } as const

/** Something that the gateway booked on our balance. */
const OperationView = z.object({
  id: z.string(),
  kind: z.enum(OPERATION_KINDS),
  paymentId: z.nullable(z.string()),
  at: Time,
  sum: Sum,
  standing: z.string(),
  explanation: z.nullable(z.string()),
})
export type OperationView = z.infer<typeof OperationView>

const RunView = z.object({
  id: z.string(),
  what: z.string(),
  from: Time,
  to: Time,
  startedAt: Time,
  endedAt: z.nullable(Time),
  new: z.int(),
  changed: z.int(),
  same: z.int(),
  leftOut: z.int(),
})

export const getSettlementDesk = operatorEndpoint({
  ...consoleRoutes.getSettlementDesk,
  ...sees,
  summary: 'What was fetched and imported, and bookings of the gateway that nobody has explained',
  schema: {
    response: {
      200: z.object({ runs: z.array(RunView), open: z.array(OperationView), canFetch: z.boolean() }),
    },
  },
})

export const explainBooking = operatorEndpoint({
  ...consoleRoutes.explainBooking,
  ...changes,
  record: { changes: 'settlement explain', subject: 'operationId' },
  summary: 'Say what a booking was that only the gateway knows of',
  schema: {
    params: z.object({ operationId: z.string().check(z.maxLength(120)) }),
    body: z.object({
      text: z.string().check(z.trim(), z.minLength(1, 'Please say what it was.'), z.maxLength(500)),
    }),
    response: { 200: z.object({}) },
  },
  problems: [404],
})

const days = { from: Day, to: Day }

export const fetchConsoleSettlement = operatorEndpoint({
  ...consoleRoutes.fetchConsoleSettlement,
  ...changes,
  record: { changes: 'settlement fetch', keeps: ['from', 'to'] },
  summary: 'Fetch what the gateway booked on some days. As often as one likes: each operation is kept once',
  schema: {
    body: z.object(days),
    response: {
      200: z.object({
        operations: z.int(),
        new: z.int(),
        same: z.int(),
        leftOut: z.int(),
        changed: z.array(
          z.object({ id: z.string(), what: z.string(), before: z.string(), after: z.string() }),
        ),
        unreadable: z.array(z.string()),
        /** False: the time was over, and asking again goes on. */
        isWhole: z.boolean(),
      }),
    },
  },
  problems: [409],
})

/** A line each: 'field=column', or 'word=kind'. */
const pairs = z._default(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(60)), [])

export const importSettlement = operatorEndpoint({
  ...consoleRoutes.importSettlement,
  ...changes,
  bodyBytes: FILE_BODY_BYTES,
  record: { changes: 'settlement import' },
  summary: 'Take in a file of the gateway’s operations: all of it or nothing',
  schema: {
    body: z.object({
      file: SentFile,
      columns: pairs,
      types: pairs,
      decimal: z.optional(z.enum(['comma', 'point'])),
      days: z.optional(z.enum(['dmy', 'mdy'])),
      isMinor: z._default(z.boolean(), false),
      fees: z.optional(z.enum(['costs', 'changes'])),
    }),
    response: {
      200: z.object({
        isKnown: z.boolean(),
        new: z.int(),
        same: z.int(),
        changed: z.int(),
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
  record: { opens: 'settlement show', keeps: ['from', 'to'] },
  summary: 'What the gateway booked on some days, and all in which it differs from the shop or the bank',
  schema: {
    body: z.object({
      ...days,
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
