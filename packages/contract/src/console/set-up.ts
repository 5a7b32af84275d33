import { NODE_STATES } from '@hedgerow/domain/nodes'
import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const SET_UP_STEPS = [
  'address',
  'company',
  'mail',
  'gateway',
  'node',
  'prices',
  'purchase',
  'backup',
] as const
export type SetUpStepName = (typeof SET_UP_STEPS)[number]

const Seen = z.object({
  state: z.enum(['ok', 'warning', 'problem']),
  says: z.string(),
  /** What to do about it; null where nothing is to be done. */
  act: z.nullable(z.string()),
})

const Step = z.object({
  name: z.enum(SET_UP_STEPS),
  /** `open`: nothing is wrong, and something is still to be done. Each is found out anew; none is kept. */
  state: z.enum(['done', 'open', 'warning', 'problem']),
  says: z.string(),
  act: z.nullable(z.string()),
})
export type SetUpStep = z.infer<typeof Step>

/** A record of the sender's domain, as it was found; `value`: what to put there where there is none, or null. */
const MailRecord = z.object({
  kind: z.enum(['SPF', 'DKIM', 'DMARC']),
  name: z.string(),
  value: z.nullable(z.string()),
  seen: z.nullable(Seen),
})

export const SetUp = z.object({
  /** Every step is done, or the shop has sold for a while without. */
  isOver: z.boolean(),
  steps: z.array(Step),
  /** When the running shop looked last; null: not yet. */
  checkedAt: z.nullable(Time),
  address: z.object({ shop: z.string(), console: z.nullable(z.string()), checks: z.array(Seen) }),
  /** What customers read of the company, and the variable that it comes from. */
  company: z.array(z.object({ variable: z.string(), label: z.string(), value: z.string() })),
  mail: z.object({
    from: z.string(),
    /** Where a mail to try goes: OPERATOR_EMAIL, and nowhere else. */
    to: z.string(),
    server: z.string(),
    /** When one was last taken by the mail server; null: never. */
    sentAt: z.nullable(Time),
    records: z.array(MailRecord),
  }),
  /** Those that the shop can use, and where each has to send what becomes of payments. No key is among it. */
  gateways: z.array(
    z.object({
      name: z.string(),
      hasKeys: z.boolean(),
      seen: z.nullable(Seen),
      callbacks: z.array(z.string()),
    }),
  ),
  /** That which is furthest: up, or at least there. */
  node: z.nullable(z.object({ name: z.string(), state: z.enum(NODE_STATES) })),
  prices: z.object({
    examples: z.array(z.object({ order: z.string(), minor: z.int() })),
    /** When an operator last said that they are right; null: nobody has. */
    confirmedAt: z.nullable(Time),
  }),
  /** The first that was given back, or the first there is. */
  purchase: z.nullable(
    z.object({
      paymentId: z.string(),
      at: Time,
      sum: Sum,
      isGivenBack: z.boolean(),
      isUnderWay: z.boolean(),
    }),
  ),
  backedUpAt: z.nullable(Time),
})
export type SetUp = z.infer<typeof SetUp>

const changes = { access: 'operator', permission: 'settings.change' } as const

export const getSetUp = operatorEndpoint({
  ...consoleRoutes.getSetUp,
  ...changes,
  consequence: 'looks',
  record: 'reads',
  command: 'set-up',
  summary: 'What a shop that was just installed still needs before it sells, step by step',
  columns: columnsOf<SetUpStep>([
    { name: 'name', title: 'Step', kind: 'word' },
    { name: 'state', title: 'Status', kind: 'word' },
    { name: 'says', title: 'What was seen', kind: 'text' },
    { name: 'act', title: 'What to do', kind: 'text' },
  ]),
  schema: { response: { 200: SetUp } },
})

export const sendTestMail = operatorEndpoint({
  ...consoleRoutes.sendTestMail,
  ...changes,
  consequence: 'writes',
  record: { changes: 'set-up mail' },
  summary: 'Send a mail to OPERATOR_EMAIL, to see whether the mail server takes it. Five an hour at most',
  done: 'The mail server took it: see whether it arrives, and not as spam',
  schema: { response: { 200: z.object({}) } },
  problems: [409],
})

export const confirmPrices = operatorEndpoint({
  ...consoleRoutes.confirmPrices,
  ...changes,
  consequence: 'settles',
  record: { changes: 'set-up prices' },
  summary: 'Say that the calculator’s prices are what you want to sell at',
  done: 'The prices are confirmed',
  schema: { response: { 200: z.object({}) } },
})

export const runDoctor = operatorEndpoint({
  ...consoleRoutes.runDoctor,
  access: 'operator',
  permission: 'shop.examine',
  consequence: 'opens',
  record: { opens: 'doctor' },
  summary: 'Look at everything that a shop needs. It takes half a minute at most; one at a time',
  schema: {
    response: {
      200: z.object({ found: z.array(z.object({ check: z.string(), ...Seen.shape })) }),
    },
  },
  problems: [409],
})
